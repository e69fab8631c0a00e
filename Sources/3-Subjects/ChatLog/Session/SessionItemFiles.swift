package import SystemPackage
import ValiseCryptography
import ValiseFailures
package import ValiseFiles
import ValiseSecrets
package import ValiseSessionStore

/// The files of an account of Session, encrypted or not, in a folder or in a backup.
package struct SessionItemFiles: ItemFiles {
    private let store: any SessionStore
    /// Nil where the store has no key.
    private let reader: AttachmentReader?

    /// Of Desktop's form, in bytes.
    private static let overhead = Int64(SecretStream.headerByteCount + SecretStream.overhead)

    /// - Throws: `SessionStoreError` with `damaged` for a key that is none; `SecretsError`.
    package init(_ store: any SessionStore) throws {
        self.store = store
        reader = try store.attachmentKey().map { key in
            let bytes = try unsafe key.withBytes { try unsafe SecretBytes(copying: $0) }
            return try AttachmentReader(.local, key: SharedSecret(bytes))
        }
    }

    /// Of a backup there is none of this name, and what is encrypted is copied all the same.
    package var folder: FilePath? { store.attachments }

    package func find(_ file: ItemFile) throws -> ItemFileFinding {
        guard let path = file.path else { return .absent(.unfinished, problem: nil) }
        let source: any ByteSource
        do {
            source = try self.source(path, file)
        } catch let error as any Failure where error.code == .notFound {
            return .absent(.missing, problem: "missing")
        } catch let error as any Failure where error.code == .damaged {
            return .absent(.damaged, problem: error.message)
        }
        guard file.isEncrypted else { return Self.unencrypted(file, path, size: source.size) }
        guard source.size >= Self.overhead else {
            return .absent(.damaged, problem: "is too short")
        }
        // Its content is authenticated: what the message says of the size is older than what the app made of it.
        return .file(name: path, size: source.size - Self.overhead)
    }

    /// iOS stores 0 where it does not know the size.
    private static func unencrypted(_ file: ItemFile, _ path: String, size: Int64) -> ItemFileFinding {
        guard file.size.map({ $0 == 0 || $0 == size }) ?? true else {
            return .absent(.damaged, problem: "has another size than its message says")
        }
        return .file(name: path, size: size)
    }

    private func source(_ path: String, _ file: ItemFile) throws -> any ByteSource {
        try store.content(
            of: SessionAttachment(
                file: path, file.isEncrypted ? .desktopEncrypted : .unencrypted, fileName: file.name))
    }

    /// The content for who shows it: what is encrypted is decrypted in memory, and verified.
    /// - Throws: `SessionStoreError`, `unsupported` too for an encrypted one of more than `limit` bytes; `FileError`.
    func content(of file: ItemFile, named name: String, limit: Int) throws -> any ByteSource {
        let source = try source(name, file)
        guard file.isEncrypted else { return source }
        return DecryptedBytes(try decryption(name).contents(of: source, limit: limit), source.path)
    }

    private func decryption(_ name: String) throws -> AttachmentReader {
        guard let reader else {
            throw SessionStoreError(.damaged, "the key of the attachments is missing", name)
        }
        return reader
    }

    package func write(
        _ file: ItemFile, named name: String, to writer: ParallelWriter, checkpoint: () throws -> Void
    ) throws {
        let source = try source(name, file)
        guard file.isEncrypted else { return try writer.write(all: source, checkpoint: checkpoint) }
        let reader = try decryption(name)
        var end: Int64 = 0
        do {
            try unsafe reader.decrypt(source, progress: { _ in try checkpoint() }) { piece in
                try unsafe writer.write(piece, at: end)
                end += Int64(piece.count)
            }
        } catch let error as SessionStoreError where error.kind == .wrongKey {
            // There is one key for all files: it is this one that is damaged.
            throw SessionStoreError(.damaged, error.message, error.subject, cause: error.cause)
        }
    }
}
