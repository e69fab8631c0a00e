import SystemPackage
import ValiseAccounts

/// The folders in which converted files wait, one for each folder that they will go to.
struct MediaStaging: Sendable {
    private var folders: [String: FilePath] = [:]

    /// - Parameter growth: by how much files grow, by which the journal knows a previous file again.
    init(
        _ change: AccountChange, _ location: AccountLocation, _ jobs: [MediaJob], growth: Int64
    ) throws {
        for folder in Set(jobs.map(\.folder)).sorted() {
            let target = folder.isEmpty ? location.filesName : location.filesName + "/" + folder
            folders[folder] = try change.stageFolder(
                "files-\(folders.count)", mergingInto: target, growth: growth)
        }
    }

    func path(of job: MediaJob) -> FilePath? { folders[job.folder]?.appending(job.lastComponent) }
}
