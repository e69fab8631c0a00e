import ValiseConcurrency
import ValiseFailures
import ValiseSecrets
import ValiseXFTPWire

/// Receives the description behind a redirect: a small file, in memory only, as it holds keys.
struct RedirectReceiving: Sendable {
    let receiving: ChunkReceiving

    /// As it travels, in bytes; one of a file of 5 GiB has some 200 KiB.
    private static let largest: Int64 = 4 << 20

    /// - Throws: ``FileTransferError``: `damaged` where it is not what the redirect promises.
    func description(behind outer: FileDescription, _ redirect: FileDescription.Redirect) async throws
        -> FileDescription
    {
        try outer.checkReceivable(largest: Self.largest)
        let encrypted = try await receive(outer)
        let inner = try await BlockingExecutor.shared.run { try Self.read(encrypted, outer) }
        do {
            try inner.checkAgreement(with: redirect)
        } catch {
            throw FileTransferError.damaged(
                "this link leads to a different file description. Nothing was received.",
                cause: error, remedy: .askForNewLink)
        }
        return inner
    }

    private func receive(_ outer: FileDescription) async throws -> [UInt8] {
        var encrypted: [UInt8] = []
        let memory = ChunkMemory()
        for chunk in outer.chunks {
            try await receiving.receive(chunk, into: memory, kept: .nothing)
            unsafe encrypted += memory.bytes
        }
        return encrypted
    }

    private static func read(_ encrypted: [UInt8], _ outer: FileDescription) throws -> FileDescription {
        try FileDescription(yaml: decrypt(encrypted, outer))
    }

    /// - Parameter encrypted: as large as the description says.
    private static func decrypt(_ encrypted: [UInt8], _ outer: FileDescription) throws -> SecretBytes {
        do {
            let decryptor = try FileCipher.Decryptor(size: outer.size, key: outer.key, nonce: outer.nonce)
            let yaml = try unsafe SecretBytes(capacity: encrypted.count) { memory in
                unsafe memory.copyBytes(from: encrypted)
                var count = 0
                try unsafe decryptor.decrypt(memory) { content in
                    unsafe memory.copyMemory(from: content)
                    count = content.count
                }
                return count
            }
            guard try decryptor.finish().digest == outer.digest else { throw damage }
            return yaml
        } catch is XFTPWireError {
            throw damage
        }
    }

    private static let damage = FileTransferError.damaged(
        "the data on the relays does not match this link", remedy: .askForNewLink)
}
