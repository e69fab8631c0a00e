import SystemPackage
import ValiseCryptography
import ValiseFailures
import ValiseSecrets

/// What opens a block that was encrypted: the nonce and the size stay in memory, so that no two files can be exchanged.
struct SealedBlock: Sendable {
    let nonce: [UInt8]
    /// Of the content, in bytes.
    let size: Int

    /// With its tag.
    var storedSize: Int { size + SecretBox.tagByteCount }
}

/// Encrypts blocks under a random key of its own (XSalsa20-Poly1305, the tag at the end).
struct BlockSealer: Sendable {
    private let key: SecretSeed

    /// - Throws: `SecretsError` when no guarded memory is available.
    init() throws { key = try SecretSeed() }

    /// - Throws: `SecretsError` when no guarded memory is available.
    func seal(_ block: [UInt8]) throws -> (bytes: [UInt8], sealed: SealedBlock) {
        let sealed = SealedBlock(nonce: SecretBox.randomNonce(), size: block.count)
        let stream = try SecretBoxStream()
        stream.start(key: key, nonce: sealed.nonce)
        var bytes = block
        unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe stream.exclusiveOr(memory, at: 0)
            unsafe stream.authenticate(UnsafeRawBufferPointer(memory))
        }
        bytes += stream.tag()
        return (bytes, sealed)
    }

    /// - Throws: ``MountError``: `damaged` for anything but what was sealed; `SecretsError`.
    func open(_ bytes: [UInt8], _ sealed: SealedBlock, _ path: FilePath) throws -> [UInt8] {
        guard bytes.count == sealed.storedSize else { throw Self.damaged(path) }
        let stream = try SecretBoxStream()
        stream.start(key: key, nonce: sealed.nonce)
        var block = Array(bytes[..<sealed.size])
        unsafe block.withUnsafeBytes { unsafe stream.authenticate($0) }
        guard stream.isTag(Array(bytes[sealed.size...])) else { throw Self.damaged(path) }
        unsafe block.withUnsafeMutableBytes { unsafe stream.exclusiveOr($0, at: 0) }
        return block
    }

    private static func damaged(_ path: FilePath) -> MountError {
        MountError(.damaged, "a file of the cache was changed", path)
    }
}
