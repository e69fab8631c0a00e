import ValiseCryptography
import ValiseEncoding
package import ValiseSecrets

/// The form in which configurations are on the network (fact sheet of Session, §6).
///
/// `zeros || message`, encrypted by XChaCha20-Poly1305, then the nonce. The message is packed where that makes it shorter. Key
/// and nonce depend on the message, on its length and on what it is for, so that the same message is the same everywhere.
package enum ConfigWire {
    /// Tag and nonce, in bytes.
    package static let overhead = XChaCha20Poly1305.tagByteCount + XChaCha20Poly1305.nonceByteCount
    /// The longest encrypted message that is read, in bytes.
    package static let longest = 16 << 20
    /// To multiples of which messages are filled up, in bytes.
    package static let steps = [256, 1024, 2048, 5120]
    private static let noncePrefix = "libsessionutil-config-encrypted-"
    private static let longestDomain = 64 - noncePrefix.utf8.count

    /// Decrypts and unpacks.
    ///
    /// - Parameters:
    ///   - sealed: the encrypted message and its nonce.
    ///   - keys: which may have encrypted it, 32 bytes each; the first that opens it is taken.
    ///   - domain: what it is for, as libsession calls it.
    /// - Throws: ``SessionStoreError``: `noKey` without a key, `wrongKey` where none opens it, `damaged`, `unsupported` for
    ///   another packing or what is too long, `invalid` for a domain of more than 32 bytes; `SecretsError` when no guarded
    ///   memory is available.
    package static func open(
        _ sealed: [UInt8], keys: [SecretSeed], domain: String
    ) throws -> SharedSecret {
        guard !keys.isEmpty else {
            throw SessionStoreError(.noKey, "the configuration is encrypted, and no key was given")
        }
        try check(domain)
        guard sealed.count <= longest else {
            throw SessionStoreError(
                .unsupported, "the configuration exceeds the limit of \(Count.bytes(Int64(longest)))")
        }
        guard sealed.count > overhead else {
            throw SessionStoreError(.damaged, "the encrypted configuration is too short")
        }
        for key in keys {
            if let message = try decrypt(sealed, key, domain) { return try unpack(message) }
        }
        throw SessionStoreError(.wrongKey, "no key opens the configuration, or it is damaged")
    }

    /// Encrypts a message, for stores and streams that tests read. Nothing here is sent anywhere.
    ///
    /// - Parameters:
    ///   - message: in bt-encoding.
    ///   - key: 32 bytes.
    ///   - domain: what it is for.
    ///   - packing: whether it is packed.
    ///   - step: one of ``steps``: the encrypted message is a multiple of it.
    /// - Throws: ``SessionStoreError`` with `invalid` for another step or a domain of more than 32 bytes; `SecretsError` when no
    ///   guarded memory is available.
    package static func seal(
        _ message: SharedSecret, key: SecretSeed, domain: String, packing: Bool = true, step: Int = 256
    ) throws -> [UInt8] {
        try check(domain)
        guard steps.contains(step) else {
            throw SessionStoreError(.invalid, "no configuration is so filled up")
        }
        let form = packing ? try ConfigPacking.pack(message) : message
        let size = (form.bytes.count + overhead + step - 1) / step * step - overhead
        let padded = try unsafe SecretBytes(capacity: size) { memory in
            unsafe form.bytes.withBytes { bytes in
                let start = size - bytes.count
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: bytes)
            }
            return size
        }
        var nonce = try BLAKE2b(
            size: XChaCha20Poly1305.nonceByteCount, key: Array((noncePrefix + domain).utf8))
        unsafe padded.withBytes { unsafe nonce.update($0) }
        let made = nonce.finalize()
        let cipherKey = try Self.key(key, size, domain)
        var sealed = [UInt8](repeating: 0, count: size + XChaCha20Poly1305.tagByteCount)
        unsafe sealed.withUnsafeMutableBytes { sealed in
            unsafe padded.withBytes { padded in
                unsafe made.withUnsafeBytes { nonce in
                    unsafe XChaCha20Poly1305.seal(padded, into: sealed, key: cipherKey, nonce: nonce)
                }
            }
        }
        return sealed + made
    }

    // MARK: Parts

    private static func check(_ domain: String) throws(SessionStoreError) {
        guard domain.utf8.count <= longestDomain else {
            throw SessionStoreError(.invalid, "what a configuration is for has at most 32 bytes")
        }
    }

    /// - Parameter size: of the decrypted message with its zeros.
    private static func key(_ base: SecretSeed, _ size: Int, _ domain: String) throws -> SecretSeed {
        var hash = try BLAKE2b(size: SecretSeed.byteCount)
        hash.update(base)
        var length: [UInt8] = []
        length.append(bigEndian: UInt64(size))
        hash.update(length)
        hash.update(Array(domain.utf8))
        return try unsafe SecretSeed { unsafe hash.finalize(into: $0) }
    }

    /// Nil where the key is another one.
    private static func decrypt(
        _ sealed: [UInt8], _ base: SecretSeed, _ domain: String
    ) throws -> SharedSecret? {
        let size = sealed.count - overhead
        let key = try key(base, size, domain)
        var isOpen = false
        let message = try unsafe SecretBytes(capacity: size) { memory in
            unsafe sealed.withUnsafeBytes { sealed in
                let end = sealed.count - XChaCha20Poly1305.nonceByteCount
                isOpen = unsafe XChaCha20Poly1305.open(
                    UnsafeRawBufferPointer(rebasing: sealed[..<end]), into: memory, key: key,
                    nonce: UnsafeRawBufferPointer(rebasing: sealed[end...]))
            }
            return size
        }
        return isOpen ? SharedSecret(message) : nil
    }

    /// Takes the zeros away, and what is packed apart.
    private static func unpack(_ message: SharedSecret) throws -> SharedSecret {
        let (start, first) = unsafe message.bytes.withBytes { bytes in
            let start = unsafe bytes.firstIndex { $0 != 0 } ?? bytes.count
            return unsafe (start, start < bytes.count ? bytes[start] : 0)
        }
        switch first {
        case 0: throw SessionStoreError(.damaged, "the decrypted configuration is empty")
        case ConfigPacking.mark: return try ConfigPacking.unpack(message, from: start + 1)
        case UInt8(ascii: "d"):
            return SharedSecret(
                try unsafe message.bytes.withBytes {
                    try unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[start...]))
                })
        default:
            throw SessionStoreError(.unsupported, "the decrypted configuration is packed in an unknown way")
        }
    }
}
