import SystemPackage
import ValiseConcurrency
import ValiseFailures
package import ValiseFiles

/// The account that an operation replaces, kept in a folder inside its own as an account that can be used.
package struct PreviousAccount: Sendable {
    /// The folder's name.
    package let name: String
    /// Where it will be.
    package let location: AccountLocation
    private let original: AccountLocation

    /// How its media came along.
    package struct Media: Sendable, Equatable, Codable {
        /// Files that got a second name, which takes no space.
        package var linked = 0
        /// Files that were copied, because the file system has no hard links.
        package var copied = 0
    }

    /// Checks the name, and that the account can be kept.
    ///
    /// - Parameters:
    ///   - location: the account that is going to be replaced.
    ///   - name: of a folder that is not there yet.
    ///   - fileSystem: where it is.
    /// - Throws: ``AccountError``: `invalid` for a name that cannot be one or is the account's own, `alreadyExists`
    ///   where something has it or a migration waits to be confirmed, `notFound` without an account; `FileError`.
    package init(of location: AccountLocation, as name: String, fileSystem: FileSystem) throws {
        try AccountLocation.checkName(name, location)
        self.name = name
        original = location
        let folder = location.directory.appending(name)
        self.location = AccountLocation(directory: folder, prefix: location.prefix, style: location.style)
        try Self.checkIsFree(folder, fileSystem)
        guard
            try AccountDatabase.allCases.contains(where: { try fileSystem.exists(location.path(of: $0)) })
        else {
            throw AccountError(
                .notFound, "no account here to keep", location.directory,
                remedy: .keepNoPreviousAccount)
        }
        guard try AccountBackup(location, fileSystem: fileSystem) == nil else {
            throw AccountError(
                .alreadyExists,
                "the databases from before the last migration are kept here and would be separated from their "
                    + "account. Nothing was changed.", location.directory,
                remedy: .confirmOrRollBack(Remedy.Account(location)))
        }
    }

    /// At first, and once more before the operation is decided: to unpack takes its time.
    static func checkIsFree(_ folder: FilePath, _ fileSystem: FileSystem) throws {
        guard try fileSystem.exists(folder) else { return }
        throw AccountError(
            .alreadyExists,
            "already exists, so the previous account cannot be kept under this name. Nothing was changed.",
            folder)
    }

    /// The bytes that its media will take beside the new ones: none where files get second names.
    ///
    /// - Parameter staging: where that is tried; what a file system can do, only trying tells.
    func spaceNeeded(_ staging: FilePath, _ fileSystem: FileSystem) throws -> Int64 {
        let databases = AccountDatabase.allCases.map { original.path(of: $0) }
        guard let path = try databases.first(where: { try fileSystem.exists($0) }) else { return 0 }
        let probe = staging.appending("probe")
        do throws(FileError) {
            try fileSystem.link(path, as: probe)
            try fileSystem.remove(probe)
            return 0
        } catch {
            guard [.denied, .unsupported].contains(error.code) else { throw error }
        }
        return try FolderTwin.size(of: original.filesFolder, fileSystem)
            + FolderTwin.size(of: original.wallpapersFolder, fileSystem)
    }

    /// Gives every file of media a second name under `folder`, which becomes the account's folder.
    func linkMedia(
        into folder: FilePath, _ fileSystem: FileSystem, _ progress: ProgressHandler
    ) throws -> Media {
        var twin = FolderTwin(fileSystem)
        // Made in any case: by it the kind of installation is recognized.
        try fileSystem.makeDirectories(folder.appending(original.filesName))
        try twin.make(of: original.filesFolder, at: folder.appending(original.filesName), progress)
        if try fileSystem.isDirectory(original.wallpapersFolder) {
            try fileSystem.makeDirectories(folder.appending(original.wallpapersName))
            try twin.make(
                of: original.wallpapersFolder, at: folder.appending(original.wallpapersName), progress)
        }
        return twin.media
    }
}

extension AccountLocation {
    /// A name for a folder beside the parts of an account, and none of them.
    fileprivate static func checkName(_ name: String, _ location: AccountLocation) throws {
        do {
            try checkPrefix(name, location.directory)
        } catch {
            throw AccountError(
                .invalid,
                "not a valid name for a folder inside the account folder, where the previous account is kept",
                location.directory.appending(name))
        }
        let own = [location.filesName, location.wallpapersName].compactMap { $0.split(separator: "/").first }
        guard !name.hasPrefix(location.prefix + "_"), !name.hasPrefix(location.prefix + "."),
            !own.contains(Substring(name))
        else {
            throw AccountError(
                .invalid, "this name belongs to the account itself",
                location.directory.appending(name), remedy: .chooseAnotherName)
        }
    }
}
