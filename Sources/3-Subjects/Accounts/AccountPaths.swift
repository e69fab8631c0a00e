package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Which paths belong to accounts, so that nothing else is written there: databases with their side files and
/// copies, marks, what Valise keeps beside an account, and the folders of media and wallpapers.
///
/// What is not there yet counts too: an archive called like a database's journal would be rolled into it.
package struct AccountPaths: Sendable {
    private let accounts: [Holdings]
    private let fileSystem: FileSystem

    /// Wallpapers are this deep.
    private static let depth = 4

    /// Looks for accounts in a folder and in the folders above it that could have one whose part this is.
    ///
    /// - Parameters:
    ///   - folder: need not be there.
    ///   - location: an account in addition to these; what lies elsewhere through a link is found for it too.
    ///   - fileSystem: where files are read and written.
    /// - Throws: `FileError`.
    package init(
        around folder: FilePath, and location: AccountLocation? = nil, fileSystem: FileSystem = FileSystem()
    ) throws(FileError) {
        self.fileSystem = fileSystem
        var locations = location.map { [$0] } ?? []
        var here = try Self.place(folder, fileSystem)
        for _ in 0..<Self.depth {
            // What we may not list we may not take for an account either.
            locations += (try? AccountLocation.all(in: here, fileSystem)) ?? []
            here = here.parentFolder
        }
        accounts = try locations.map { location throws(FileError) in try Holdings(location, fileSystem) }
    }

    /// Whether no account was found.
    package var isEmpty: Bool { accounts.isEmpty }

    /// The account that a path belongs to, whether anything is there or not; nil for none.
    /// - Throws: `FileError` when the system does not let us look.
    package func owner(of path: FilePath) throws(FileError) -> AccountLocation? {
        let place = try Self.place(path, fileSystem)
        if let owner = accounts.first(where: { $0.has(place) }) { return owner.location }
        // A file system that folds more than the case has other spellings; and a file may have other names.
        guard let found = try fileSystem.attributes(of: place) else { return nil }
        return accounts.first { $0.databases.contains(found.identity) }?.location
    }

    /// - Parameters:
    ///   - path: where something would be written.
    ///   - what: that is to be written, such as "the archive".
    ///   - location: the account; nil where there is none.
    ///   - fileSystem: where files are read and written.
    /// - Throws: ``AccountError`` with `invalid` for a path that belongs to an account; `FileError`.
    package static func refuse(
        _ path: FilePath, for what: String, and location: AccountLocation? = nil,
        fileSystem: FileSystem = FileSystem()
    ) throws {
        let accountPaths = try AccountPaths(
            around: path.parentFolder, and: location, fileSystem: fileSystem)
        guard let owner = try accountPaths.owner(of: path) else { return }
        throw AccountError(
            .invalid,
            "cannot write \(what) here: this path belongs to the account \(owner.prefix) in "
                + "\(owner.directory.string). Nothing was changed.", path,
            remedy: .chooseAnotherFolder)
    }

    /// Whether anything of an account is in a folder: a database, an interrupted operation, or a mark.
    /// - Throws: `FileError`; ``AccountError`` with `notFound` where the folder is not there.
    package static func isOccupied(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) throws -> Bool {
        try !AccountLocation.all(in: folder, fileSystem).isEmpty
    }

    /// Without links and dots as far as something is there; the last component as it is.
    private static func place(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) -> FilePath {
        guard let name = path.lastComponent, name.kind == .regular else {
            return try resolved(path, fileSystem)
        }
        return try resolved(path.parentFolder, fileSystem).appending(name)
    }

    private static func resolved(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) -> FilePath {
        if let found = try? fileSystem.resolve(path) { return found }
        guard let name = path.lastComponent, path.parentFolder != path else { return path }
        return try resolved(path.parentFolder, fileSystem).appending(name)
    }

    /// What belongs to one account.
    private struct Holdings {
        let location: AccountLocation
        let databases: Set<FileIdentity>
        private let directory: FilePath
        /// Folders that lie elsewhere, through links.
        private var folders: [FilePath] = []

        init(_ location: AccountLocation, _ fileSystem: FileSystem) throws(FileError) {
            self.location = location
            directory = try AccountPaths.resolved(location.directory, fileSystem)
            var databases: Set<FileIdentity> = []
            for database in AccountDatabase.allCases {
                if let found = try fileSystem.attributes(of: location.path(of: database)) {
                    databases.insert(found.identity)
                }
            }
            self.databases = databases
            for folder in [location.filesFolder, location.wallpapersFolder, location.workFolder] {
                if let real = try? fileSystem.resolve(folder) { folders.append(real) }
            }
        }

        func has(_ place: FilePath) -> Bool {
            if folders.contains(where: { place.starts(with: $0) }) { return true }
            var rest = place
            guard rest.removePrefix(directory), !rest.isEmpty else { return false }
            // Without regard to case, as some file systems see it.
            let name = rest.string.lowercased()
            let folders = [location.filesName, location.wallpapersName].map { $0.lowercased() }
            if folders.contains(where: { "\(name)/".hasPrefix("\($0)/") || "\($0)/".hasPrefix("\(name)/") }) {
                return true
            }
            let prefix = location.prefix.lowercased()
            let first = name.split(separator: "/").first.map(String.init) ?? name
            return [location.readOnlyMarkName, prefix + RetiredMark.suffix].contains {
                first == $0.lowercased()
            }
                || first == AccountLocation.workPrefix + prefix
                || first.hasPrefix(".\(prefix)\(AccountLocation.workPrefix)")
                || AccountDatabase.allCases.contains { database in
                    let database = prefix + database.suffix
                    return first == database || first.hasPrefix(database + "-")
                        || first.hasPrefix(database + ".")
                }
        }
    }
}
