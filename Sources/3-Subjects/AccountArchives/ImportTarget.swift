import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Where an account is to be imported: what is there, and what stands in the way. It only looks.
struct ImportTarget {
    private let location: AccountLocation
    private let options: ArchiveImport.Options
    private let fileSystem: FileSystem

    init(_ location: AccountLocation, _ options: ArchiveImport.Options, _ fileSystem: FileSystem) {
        self.location = location
        self.options = options
        self.fileSystem = fileSystem
    }

    /// The databases that are replaced, with their sizes in bytes.
    /// - Throws: ``AccountArchiveError`` with `alreadyExists` where they may not be; ``FileError``.
    func replaced() throws -> [AccountDatabase: Int64] {
        var found: [AccountDatabase: Int64] = [:]
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            guard let attributes = try fileSystem.attributes(of: path) else { continue }
            found[database] = attributes.size
            guard !options.isReadOnly || options.keepsPreviousAs != nil else {
                throw AccountArchiveError(
                    .alreadyExists,
                    "an account already exists here, and a read-only copy does not replace it. Nothing was changed.",
                    subject: path.string, remedy: .chooseAnotherFolder)
            }
            guard options.replacesAccount else {
                throw AccountArchiveError(
                    .alreadyExists,
                    "an account already exists here. Nothing was changed.", subject: path.string,
                    remedy: .replaceAccount(Remedy.Account(location)))
            }
        }
        return found
    }

    /// Where the previous account shall stay; nil where it shall not.
    /// - Throws: as ``Accounts/PreviousAccount``.
    func previous() throws -> PreviousAccount? {
        try options.keepsPreviousAs.map {
            try PreviousAccount(of: location, as: $0, fileSystem: fileSystem)
        }
    }

    /// The bytes that are needed and those that are free, where the folder is or will be.
    func space(for index: ZipIndex) throws(FileError) -> (needed: Int64, free: Int64) {
        // Names, folders and the rounding to whole blocks.
        let needed = index.totalSize + Int64(index.entries.count) * 4096 + (1 << 20)
        return (needed, try fileSystem.freeSpace(at: existingFolder()))
    }

    /// The account's folder, or the one in which it will be made.
    private func existingFolder() throws(FileError) -> FilePath {
        try fileSystem.nearestExisting(location.directory)
    }

    /// What would stop the import later, without trying it.
    /// - Throws: ``AccountError``; ``FileError``.
    func refuseObstacles() throws {
        guard try fileSystem.exists(location.directory) else {
            return try fileSystem.checkMayChange(existingFolder())
        }
        try AccountChange.checkObstacles(
            location, mergingInto: [location.filesName, location.wallpapersName], fileSystem: fileSystem)
    }

    /// - Parameter more: further bytes that are needed.
    func refuseShortage(_ index: ZipIndex, and more: Int64 = 0) throws {
        let (size, free) = try space(for: index)
        let needed = size + more
        guard free >= needed else {
            throw AccountArchiveError(
                .noSpace,
                "not enough free space: \(Count.bytes(needed)) needed, \(Count.bytes(free)) "
                    + "available. Nothing was changed.",
                subject: location.directory.string, remedy: .freeSpace(needed, in: location.directory))
        }
    }
}
