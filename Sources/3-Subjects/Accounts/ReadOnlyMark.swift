import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// Says that an account was imported as an archive: Valise reads it, and neither changes nor runs it.
///
/// A file `PREFIX.valise-archive` beside the databases. That it is there counts, whatever it holds; there is no way
/// back but to import the archive once more, or to restore an ``AccountBackup``.
package struct ReadOnlyMark: Sendable, Equatable, Codable {
    /// The name of the archive that it was imported from.
    package let archive: String?
    /// In bytes.
    package let archiveSize: Int64?
    /// When, as `2026-01-31T12:00:00Z`.
    package let imported: String?
    private var version: Int? = 1

    static let suffix = ".valise-archive"
    private static let sizeLimit = 1 << 16

    package init(archive: String?, archiveSize: Int64?, imported: String?) {
        self.archive = archive
        self.archiveSize = archiveSize
        self.imported = imported
    }

    /// Whether an account has it.
    /// - Throws: `FileError` when the system does not let us look.
    package static func isThere(
        _ location: AccountLocation, fileSystem: FileSystem
    ) throws(FileError) -> Bool {
        try fileSystem.exists(location.readOnlyMarkPath)
    }

    /// What an account's mark says: nothing, where it cannot be read.
    /// - Returns: nil for an account without one.
    /// - Throws: `FileError` when the system does not let us look.
    package static func read(
        _ location: AccountLocation, fileSystem: FileSystem
    ) throws(FileError) -> ReadOnlyMark? {
        guard try isThere(location, fileSystem: fileSystem) else { return nil }
        let bytes = try? fileSystem.contents(of: location.readOnlyMarkPath, limit: sizeLimit)
        let mark = bytes.flatMap { try? JSONText.decode(ReadOnlyMark.self, from: $0) }
        return mark ?? ReadOnlyMark(archive: nil, archiveSize: nil, imported: nil)
    }

    /// Every operation that changes or runs an account begins with this; ``AccountWriter`` does it for those that have one.
    /// - Throws: ``AccountError`` with `unsupported` for an account that has the mark; `FileError`.
    package static func refuse(_ location: AccountLocation, fileSystem: FileSystem) throws {
        guard try isThere(location, fileSystem: fileSystem) else { return }
        let keepsPrevious = try AccountBackup(location, fileSystem: fileSystem) != nil
        let kept =
            keepsPrevious ? " The databases that were here before and were used since are kept." : ""
        throw AccountError(
            .unsupported,
            "the account was imported as a read-only archive. Nothing was changed.\(kept)",
            location.directory,
            remedy: keepsPrevious ? .rollBack(Remedy.Account(location)) : .importIntoAnotherFolder)
    }

    func write(to path: FilePath, _ fileSystem: FileSystem) throws {
        var file = try fileSystem.create(path, permissions: .ownerRead)
        try file.write(try JSONText.encodeBytes(self))
        try file.synchronize()
        try file.close()
    }
}
