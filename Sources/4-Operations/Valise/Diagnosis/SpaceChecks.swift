import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Free space where this program writes.
struct SpaceChecks {
    /// Below it, a job or a journal may not be written.
    private static let least: Int64 = 50_000_000
    private static let little: Int64 = 1_000_000_000

    private let folders: ValiseFolders
    private let account: AccountLocation?
    private let fileSystem = FileSystem()

    init(_ folders: ValiseFolders, _ account: AccountLocation?) {
        self.folders = folders
        self.account = account
    }

    func findings() -> [Diagnosis.Finding] {
        let places: [(StaticString, FilePath?)] = [
            ("state", folders.state), ("data", folders.data), ("configuration", folders.configuration),
            ("temporary files", folders.temporary),
        ]
        return places.compactMap { name, folder in
            folder.map { finding(name, $0, least: Self.least, little: Self.little) }
        } + ofAccount
    }

    /// A change writes the databases anew beside the previous ones.
    private var ofAccount: [Diagnosis.Finding] {
        guard let account else { return [] }
        let size = AccountDatabase.allCases.reduce(Int64(0)) { size, database in
            let found = try? fileSystem.attributes(of: account.path(of: database))
            return size + (found?.size ?? 0)
        }
        let needed = size + Self.least
        return [finding("the account", account.directory, least: Self.least, little: needed)]
    }

    private func finding(
        _ name: StaticString, _ folder: FilePath, least: Int64, little: Int64
    ) -> Diagnosis.Finding {
        do {
            let free = try fileSystem.freeSpace(at: fileSystem.nearestExisting(folder))
            let text: RedactableText = "\(bytes: free) free for \(word: name), in \(path: folder)"
            if free < least { return Diagnosis.Finding(.space, .problem, text, .freeSpace(folder)) }
            return free < little
                ? Diagnosis.Finding(.space, .note, text, .freeSpace(folder))
                : Diagnosis.Finding(.space, .ok, text)
        } catch {
            return Diagnosis.Finding(
                .space, .problem, "space for \(word: name) is unknown: \(failure: error)",
                .access(to: (try? fileSystem.nearestExisting(folder)) ?? folder, after: error))
        }
    }
}
