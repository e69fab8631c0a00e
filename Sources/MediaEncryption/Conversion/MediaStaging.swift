import Accounts
import SystemPackage

/// The folders in which converted files wait, one for each folder that they will go to.
struct MediaStaging: Sendable {
    private var folders: [String: FilePath] = [:]

    init(_ change: AccountChange, _ location: AccountLocation, _ jobs: [MediaJob]) throws {
        for folder in Set(jobs.map(\.folder)).sorted() {
            let target = folder.isEmpty ? location.filesName : location.filesName + "/" + folder
            folders[folder] = try change.stageFolder("files-\(folders.count)", mergingInto: target)
        }
    }

    func path(of job: MediaJob) -> FilePath? { folders[job.folder]?.appending(job.lastComponent) }
}
