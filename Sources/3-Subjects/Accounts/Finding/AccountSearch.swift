package import SystemPackage
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles

/// Looks for accounts: where programs keep them, and below folders. Nothing is changed, and what a link in a searched folder
/// leads out to is not looked at.
package struct AccountSearch {
    package private(set) var found = FoundAccounts()

    private let fileSystem: FileSystem
    private let mostEntries: Int
    private var entries = 0
    private var seen: Set<Seen> = []

    /// One folder may be reached in several ways.
    private struct Seen: Hashable {
        let folder: FileIdentity
        let prefix: String
    }

    /// How deep below a folder.
    private static let mostDepth = 12
    /// What the system shows in place of files.
    private static let systemFolders: Set<String> = ["proc", "sys", "dev"]

    /// - Parameters:
    ///   - mostEntries: the most files and folders that are looked at.
    ///   - fileSystem: where it is looked.
    package init(mostEntries: Int = 500_000, fileSystem: FileSystem = FileSystem()) {
        self.mostEntries = mostEntries
        self.fileSystem = fileSystem
    }

    // MARK: The usual places

    /// Looks where a user's programs keep accounts.
    package mutating func search(_ user: UserHome) {
        if let data = user.data { look(at: data.appending("simplex"), .desktop) }
        if let home = user.home { search(home: home) }
    }

    /// - Parameter root: the resolved folder that links do not lead out of; nil for a user's own home.
    private mutating func search(home: FilePath, inside root: FilePath? = nil) {
        for place in KnownAccountPlace.all {
            look(at: home.pushing(place.path), place.program, inside: root)
        }
        for folder in snapHomes(home) + appImageHomes(home) {
            look(at: folder.pushing(KnownAccountPlace.data), inside: root)
        }
        for folder in KnownAccountPlace.backupFolders.map({ home.pushing($0) }) where isInside(root, folder) {
            for backup in listing(of: folder).folders {
                let path = folder.appending(backup)
                if listing(of: path).isBackup { look(atBackup: path) }
            }
        }
    }

    private mutating func snapHomes(_ home: FilePath) -> [FilePath] {
        let snaps = home.pushing(KnownAccountPlace.snaps)
        return listing(of: snaps).folders.filter { $0.string.contains("simplex") }.flatMap { name in
            KnownAccountPlace.snapHomes.map { snaps.appending(name).appending($0) }
        }
    }

    private mutating func appImageHomes(_ home: FilePath) -> [FilePath] {
        var homes: [FilePath] = []
        for folder in [home] + KnownAccountPlace.appImageFolders.map({ home.pushing($0) }) {
            homes += listing(of: folder).folders.filter { name in
                name.string.hasSuffix(KnownAccountPlace.appImageHome)
                    && name.string.lowercased().contains("simplex")
            }.map { folder.appending($0) }
        }
        return homes
    }

    // MARK: Below a folder

    /// Looks everywhere in a folder, such as a mounted disk: first where programs of its users keep accounts.
    ///
    /// - Parameters:
    ///   - folder: need not belong to a user.
    ///   - progress: called for each folder; throw to stop.
    /// - Throws: `AccountError` with `notFound` where the folder is missing; `FileError`; whatever `progress` throws.
    package mutating func search(
        below folder: FilePath, progress: ProgressHandler = { _ in }
    ) throws {
        guard try fileSystem.isDirectory(folder) else {
            let isThere = try fileSystem.exists(folder)
            throw AccountError(.notFound, isThere ? "not a folder" : "no such folder", folder)
        }
        // Here it is a failure that the folder cannot be read.
        try fileSystem.forEachEntry(of: folder) { (_) throws(FileError) in }
        let root = try fileSystem.resolve(folder)
        for home in homes(on: folder) { search(home: home, inside: root) }
        var level = try visit(folder, progress).filter {
            root != "/" || !Self.systemFolders.contains($0.lastComponent?.string ?? "")
        }
        for _ in 0..<Self.mostDepth where !level.isEmpty {
            var next: [FilePath] = []
            for folder in level {
                guard entries < mostEntries else {
                    found.isComplete = false
                    return
                }
                next += try visit(folder, progress)
            }
            level = next
        }
    }

    private mutating func homes(on disk: FilePath) -> [FilePath] {
        var homes = [disk, disk.pushing(KnownAccountPlace.rootHome)]
        for folder in KnownAccountPlace.homeFolders.map({ disk.pushing($0) }) {
            homes += listing(of: folder).folders.map { folder.appending($0) }
        }
        return homes
    }

    /// - Returns: the folders in which to look next.
    private mutating func visit(
        _ folder: FilePath, _ progress: ProgressHandler
    ) throws -> [FilePath] {
        try progress(OperationProgress("looking for accounts", completed: Int64(entries), unit: .items))
        let listing = listing(of: folder)
        if listing.isBackup {
            look(atBackup: folder)
            return []
        }
        let accounts = listing.mayHaveAccounts ? look(at: folder, isAnywhere: true) : []
        let media = Set(
            accounts.flatMap { [FilePath($0.filesName), FilePath($0.wallpapersName)] }
                .compactMap(\.components.first))
        return listing.folders.filter { !media.contains($0) }.map { folder.appending($0) }
    }

    // MARK: Looking

    /// - Parameters:
    ///   - program: who keeps accounts there; nil where the path says it.
    ///   - isAnywhere: whether it is a folder that no program is known for: what has one file by a name of others is no
    ///     account there.
    /// - Returns: the accounts in the folder.
    @discardableResult
    private mutating func look(
        at folder: FilePath, _ program: AccountProgram? = nil, inside root: FilePath? = nil,
        isAnywhere: Bool = false
    ) -> [AccountLocation] {
        do {
            guard try fileSystem.isDirectory(folder), isInside(root, folder),
                let identity = try fileSystem.attributes(of: fileSystem.resolve(folder))?.identity
            else { return [] }
            var locations = try AccountLocation.all(in: folder, fileSystem)
            if isAnywhere { locations = try locations.filter { try isLikely($0) } }
            for location in locations
            where seen.insert(Seen(folder: identity, prefix: location.prefix)).inserted {
                let keeper = program ?? KnownAccountPlace.program(of: location)
                found.accounts.append(FoundAccount(location, keeper, fileSystem))
            }
            return locations
        } catch {
            note(error, folder)
            return []
        }
    }

    private func isLikely(_ location: AccountLocation) throws -> Bool {
        if KnownAccountPlace.prefixes.contains(location.prefix) { return true }
        if KnownAccountPlace.program(of: location) != .unknown { return true }
        let databases = try AccountDatabase.allCases.filter {
            try fileSystem.exists(location.path(of: $0))
        }
        // One that Valise has worked on has more than the names of its databases.
        let marks = [location.retiredMarkPath, location.readOnlyMarkPath, location.workFolder]
        if databases.count == AccountDatabase.allCases.count { return true }
        return try marks.contains { try fileSystem.exists($0) }
    }

    private mutating func look(atBackup folder: FilePath) {
        do {
            let identity = try fileSystem.attributes(of: fileSystem.resolve(folder))?.identity
            guard let identity, seen.insert(Seen(folder: identity, prefix: "")).inserted else { return }
            let backup = try IOSBackup(folder, fileSystem)
            if backup.accounts.isEmpty { found.otherBackups.append(folder.string) }
            for (prefix, files) in backup.accounts {
                found.accounts.append(FoundAccount(prefix, files, in: backup, fileSystem))
            }
        } catch {
            note(error, folder)
        }
    }

    private func isInside(_ root: FilePath?, _ folder: FilePath) -> Bool {
        guard let root else { return true }
        // What is not there is in no other place.
        guard let resolved = try? fileSystem.resolve(folder) else { return true }
        return resolved.starts(with: root)
    }

    /// What went away meanwhile was not there.
    private mutating func note(_ error: any Error, _ folder: FilePath) {
        if (error as? any Failure)?.code != .notFound { found.note(unreadable: folder.string) }
    }

    // MARK: Listing

    /// What counts in a folder.
    private struct Listing {
        var folders: [FilePath.Component] = []
        var mayHaveAccounts = false
        fileprivate var signs: Set<String> = []

        var isBackup: Bool { IOSBackup.isBackup(signs) }

        mutating func add(_ entry: DirectoryEntry) {
            let name = entry.name ?? ""
            switch entry.kind {
            case .directory:
                if name.hasPrefix(AccountLocation.workPrefix) {
                    mayHaveAccounts = true
                } else if name != AccountLocation.moveFolderName, !AccountLocation.isReception(name),
                    let folder = FilePath.Component(bytes: entry.nameBytes)
                {
                    folders.append(folder)
                }
            case .regular:
                if Listing.suffixes.contains(where: { name.hasSuffix($0) }) { mayHaveAccounts = true }
                if IOSBackup.isSign(name) { signs.insert(name) }
            case .symbolicLink, .special: break
            }
        }

        private static let suffixes =
            AccountDatabase.allCases.map(\.suffix) + [RetiredMark.suffix, ReadOnlyMark.suffix]
    }

    /// Nothing, where no such folder is or it cannot be read.
    private mutating func listing(of folder: FilePath) -> Listing {
        var listing = Listing()
        var count = 0
        do throws(FileError) {
            guard try fileSystem.isDirectory(folder) else { return listing }
            try fileSystem.forEachEntry(of: folder) { entry throws(FileError) in
                count += 1
                // A folder of any size: the rest is counted only.
                if count <= mostEntries { listing.add(entry) }
            }
        } catch {
            note(error, folder)
        }
        entries += count
        listing.folders.sort { $0.string < $1.string }
        return listing
    }
}
