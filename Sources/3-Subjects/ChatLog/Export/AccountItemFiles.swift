package import SystemPackage
package import ValiseAccounts
import ValiseCryptoFiles
import ValiseFailures
package import ValiseFiles
import ValiseMedia

/// The files of an account, encrypted or not, in its folder or in an archive.
package struct AccountItemFiles: ItemFiles {
    private let log: ChatLog
    private let table: MediaTable?
    private let store: any MediaStore
    private let cipher: CryptoFileCipher

    /// - Parameters:
    ///   - log: knows the keys.
    ///   - store: the files.
    /// - Throws: `SecretsError`; `DatabaseError`.
    package init(_ log: ChatLog, _ store: any MediaStore) throws {
        self.log = log
        self.store = store
        table = try log.mediaTable()
        cipher = try CryptoFileCipher()
    }

    package var folder: FilePath? { (store as? MediaFolder)?.folder }

    package func find(_ file: ItemFile) throws -> ItemFileFinding { try MediaFinder(store: store).find(file) }

    package func write(
        _ file: ItemFile, named name: String, to writer: ParallelWriter, checkpoint: () throws -> Void
    ) throws {
        let source = try store.source(name)
        guard file.isEncrypted else { return try writer.write(all: source, checkpoint: checkpoint) }
        guard let keys = try log.keys(of: file, in: table) else {
            throw FileError(.damaged, "its key in the database is incomplete", source.path)
        }
        try cipher.decrypt(source, to: writer, keys) { _ in try checkpoint() }
    }
}
