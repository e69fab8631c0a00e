package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// The databases as they were before a migration, kept until they are confirmed away or restored.
///
/// Also those that an app wrote to between the decision and the completion of an interrupted operation, and those before
/// an operation whose result did not open.
package struct AccountBackup {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let folder: FilePath

    /// - Returns: nil when the account has no backup.
    /// - Throws: `FileError`.
    package init?(_ location: AccountLocation, fileSystem: FileSystem) throws(FileError) {
        self.location = location
        self.fileSystem = fileSystem
        folder = location.workFolder.appending(AccountChange.backupName)
        guard try fileSystem.exists(folder) else { return nil }
    }

    /// The bytes that it takes.
    /// - Throws: `FileError`.
    package func size() throws(FileError) -> Int64 { try size(of: files()) }

    /// The same of its ``files()``, where they are known.
    package func size(of files: [FilePath]) throws(FileError) -> Int64 {
        var total: Int64 = 0
        for path in files { total += try fileSystem.attributes(of: path)?.size ?? 0 }
        return total
    }

    /// The databases, with what belongs to them.
    /// - Throws: `FileError`.
    package func files() throws(FileError) -> [FilePath] {
        var paths: [FilePath] = []
        for entry in try fileSystem.list(folder) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            paths.append(folder.appending(name))
        }
        return paths
    }

    /// Puts the kept databases back in place, atomically. A ``ReadOnlyMark`` goes with what they replace.
    /// - Parameter writer: of the account that the backup belongs to.
    /// - Throws: ``AccountError`` when the backup is not complete; `FileError`.
    package func restore(_ writer: AccountWriter) throws {
        let kept = try AccountDatabase.allCases.compactMap { database in
            try path(of: database).map { (database, $0) }
        }
        guard !kept.isEmpty else {
            throw AccountError(.notFound, "no database in the backup. Nothing was changed.", folder)
        }
        let change = try writer.change("rollback")
        for (database, path) in kept {
            // A copy: the backup stays whole until the operation is decided. A journal belongs to the content.
            try DatabaseCopy.make(
                of: DatabaseFile(path, fileSystem: fileSystem), at: change.stagedPath(of: database),
                passphrase: nil, fileSystem: fileSystem)
            change.replaces(database)
        }
        try change.removesMark()
        try change.commit(dropsBackup: true)
    }

    /// The one that was there first; those with a number were made in the middle of the operation. Nil for none.
    private func path(of database: AccountDatabase) throws(FileError) -> FilePath? {
        let names = try fileSystem.list(folder).compactMap(\.name)
        let target = location.prefix + database.suffix
        return PreviousDatabases.numbers(of: target, among: names, withSides: false).min()
            .map { folder.appending(PreviousDatabases.name(target, $0)) }
    }

    /// Removes the backup: whole, or not at all. A part of it would restore a part of an account.
    /// - Throws: `FileError`.
    package func discard() throws(FileError) {
        try fileSystem.rename(folder, to: location.workFolder.appending(AccountChange.discardedName))
        try fileSystem.synchronizeDirectory(location.workFolder)
        try WorkFolder(location, fileSystem).discardPreparations()
    }
}
