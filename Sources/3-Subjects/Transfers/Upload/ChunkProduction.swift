import Synchronization
import ValiseCryptography
import ValiseFiles
import ValiseMediaRules
import ValiseXFTPWire

/// Makes the chunks of an encrypted file in their order, straight out of its source.
///
/// One thread at a time.
final class ChunkProduction: Sendable {
    private let source: any ByteSource
    private let encryptor: FileCipher.Encryptor
    /// Of the next chunk.
    private let number = Mutex(0)

    /// - Throws: ``XFTPWireError``; `SecretsError`.
    init(_ source: any ByteSource, _ file: UploadFile, _ layout: EncryptedFileLayout) throws {
        self.source = source
        encryptor = try FileCipher.Encryptor(layout, key: file.key, nonce: file.nonce)
    }

    /// Fills the memory with the next chunk.
    /// - Returns: its SHA-256.
    /// - Throws: errors of the source.
    func next(into memory: ChunkMemory) throws -> [UInt8] {
        try number.withLock { number in
            memory.resize(to: Int(encryptor.layout.chunks[number].size.bytes))
            _ = try unsafe encryptor.next(memory.bytes) { try unsafe source.fill($0, at: $1) }
            number += 1
        }
        var hash = SHA256()
        unsafe hash.update(UnsafeRawBufferPointer(memory.bytes))
        return hash.finalize()
    }

    /// SHA-512 of the whole, once all chunks were made.
    func finish() -> [UInt8] { encryptor.finish() ?? [] }
}

extension UploadFile {
    /// - Parameter size: of its content, where that is no part of the source.
    /// - Throws: ``XFTPWireError``.
    func layout(size: Int64? = nil) throws -> EncryptedFileLayout {
        switch content {
        case .part(_, let size):
            try EncryptedFileLayout(fileSize: size, name: name, extra: extra.map { Array($0.utf8) })
        case .redirect: try EncryptedFileLayout.oneChunk(fileSize: size ?? 0, name: name)
        }
    }
}
