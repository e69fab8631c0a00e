package import SystemPackage
package import ValiseAccounts
import ValiseArchives
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// A zip archive, shown where it is: nothing of it is written anywhere.
///
/// Media that the archive's chat database has keys for are shown decrypted, where its passphrase is given. Databases are shown
/// as the files that they are. Memory is bounded by what ``OpenSources`` may have, besides some 500 bytes for each entry.
package final class ArchiveTree: FileTree {
    package let name: String
    package let root: TreeItem
    /// How many files are shown decrypted.
    package let decryptedFiles: Int

    /// Whoever writes a new archive gives it a new file.
    package var isConstant: Bool { true }

    /// - Parameters:
    ///   - archive: any zip archive.
    ///   - passphrase: of the account in it, empty where that is not encrypted; nil to show media as they are.
    /// - Throws: ``AccountMediaError``: `wrongPassphrase`, `damaged` where it is no account; `ZipError`; `FileError`;
    ///   `DatabaseError`.
    package init(_ archive: ArchiveStorage, passphrase: borrowing SecretBytes? = nil) throws {
        let content = ArchiveContent(
            archive, try LockedMediaKeys(archive, passphrase: passphrase.duplicate()))
        let draft = ArchiveDraft()
        for entry in archive.index.entries { draft.add(entry, content.item(of: entry)) }
        name = archive.path.string
        decryptedFiles = archive.index.entries.count(where: content.isDecrypted)
        root = draft.finished()
    }

    /// Opens an archive for it.
    /// - Throws: `ZipError` for an archive that is no sound zip file; `FileError`; as ``init(_:passphrase:)``.
    package convenience init(
        _ path: FilePath, passphrase: borrowing SecretBytes? = nil, fileSystem: FileSystem = FileSystem()
    ) throws {
        try self.init(try ArchiveStorage(path, fileSystem: fileSystem), passphrase: passphrase.duplicate())
    }
}
