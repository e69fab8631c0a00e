import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Who may read and change the user's own folders, and the files of an account.
struct PermissionChecks {
    private let folders: ValiseFolders
    private let account: AccountLocation?
    private let fileSystem = FileSystem()

    init(_ folders: ValiseFolders, _ account: AccountLocation?) {
        self.folders = folders
        self.account = account
    }

    func findings() -> [Diagnosis.Finding] {
        // What a user writes down himself may be open, unless it has passwords: reading the list of relays checks that.
        let own: [(StaticString, FilePath?, Diagnosis.State)] = [
            ("state folder", folders.state, .problem),
            ("key folder", folders.keys, .problem),
            ("configuration folder", folders.configuration, .note),
        ]
        guard folders.state != nil || folders.configuration != nil else {
            return [
                Diagnosis.Finding(
                    .permissions, .problem, "the folders of this user are unknown: there is no home folder",
                    .nameHome)
            ]
        }
        return own.flatMap { name, folder, state in folder.map { ofOwn(name, $0, state) } ?? [] } + ofAccount
    }

    // MARK: The user's own folders

    private func ofOwn(
        _ name: StaticString, _ folder: FilePath, _ state: Diagnosis.State
    ) -> [Diagnosis.Finding] {
        attempt(name, folder) {
            guard try fileSystem.exists(folder) else {
                return [Diagnosis.Finding(.permissions, .ok, "no \(word: name) yet")]
            }
            // The folder itself may be a link to another disk.
            let real = try fileSystem.resolve(folder)
            var scan = FolderScan(forbidden: .ofOthers)
            try scan.add(real)
            return findings(name, real, scan, state)
        }
    }

    private func findings(
        _ name: StaticString, _ folder: FilePath, _ scan: FolderScan, _ state: Diagnosis.State
    ) -> [Diagnosis.Finding] {
        var found: [Diagnosis.Finding] = []
        if scan.foreign > 0 {
            found.append(
                Diagnosis.Finding(
                    .permissions, .problem,
                    "files of other users are in the \(word: name), \(path: folder)",
                    .takeOwnership(folder)))
        }
        if let first = scan.firstExposed {
            let isFolderItself = first == folder
            found.append(
                Diagnosis.Finding(
                    .permissions, state,
                    isFolderItself
                        ? "others have access to the \(word: name), \(path: folder)"
                        : "others have access to files in the \(word: name), such as \(path: first)",
                    scan.exposed == 1 && isFolderItself
                        ? .common(.makePrivate(folder, isFolder: true)) : .makeContentPrivate(folder)))
        }
        guard found.isEmpty else { return found }
        return [Diagnosis.Finding(.permissions, .ok, "only you have access to the \(word: name)")]
    }

    // MARK: The account

    private var ofAccount: [Diagnosis.Finding] {
        guard let account else { return [] }
        return attempt("account", account.directory) {
            var scan = FolderScan(forbidden: .readingByOthers)
            for database in AccountDatabase.allCases {
                for suffix in [""] + DatabaseFile.sideSuffixes {
                    try scan.add(account.path(of: database).appendingSuffix(suffix))
                }
            }
            for folder in [account.filesFolder, account.wallpapersFolder] where try fileSystem.exists(folder)
            {
                // A folder on another disk, through a link, counts as well.
                try scan.add(fileSystem.resolve(folder))
            }
            return try findings(account, scan)
        }
    }

    private func findings(_ account: AccountLocation, _ scan: FolderScan) throws -> [Diagnosis.Finding] {
        let folder = account.directory
        var found: [Diagnosis.Finding] = []
        if scan.foreign > 0 {
            found.append(
                Diagnosis.Finding(
                    .permissions, .problem,
                    "files of other users are in the account \(path: folder)", .takeOwnership(folder)))
        }
        if let first = scan.firstExposed, try !isClosed(folder) {
            found.append(
                Diagnosis.Finding(
                    .permissions, .problem,
                    "others have access to files of the account, such as \(path: first)",
                    .common(.makePrivate(folder, isFolder: true))))
        }
        if found.isEmpty {
            found.append(
                Diagnosis.Finding(
                    .permissions, .ok, "only you have access to the account \(path: folder)"))
        }
        if scan.future > 0 {
            found.append(
                Diagnosis.Finding(
                    .clock, .note,
                    """
                    \(scan.future, of: "file") of the account changed in the future, so the clock is wrong, \
                    or was wrong then
                    """,
                    .setClock))
        }
        return found
    }

    /// Whether the folder, or one above it, lets nobody else in: then the modes of what is in it say nothing.
    private func isClosed(_ folder: FilePath) throws -> Bool {
        var folder = try fileSystem.resolve(folder)
        while true {
            if let found = try fileSystem.attributes(of: folder),
                found.permissions.isDisjoint(with: .enteringByOthers)
            {
                return true
            }
            guard folder.parentFolder != folder else { return false }
            folder = folder.parentFolder
        }
    }

    /// What cannot be looked at is a finding.
    private func attempt(
        _ name: StaticString, _ folder: FilePath, _ body: () throws -> [Diagnosis.Finding]
    ) -> [Diagnosis.Finding] {
        do {
            return try body()
        } catch {
            return [
                Diagnosis.Finding(
                    .permissions, .problem, "cannot look at the \(word: name): \(failure: error)",
                    .access(to: folder, after: error))
            ]
        }
    }
}
