import ValiseCryptography
import ValiseEncoding
package import ValiseSecrets

/// The key of one file, 32 bytes: random, and new for each upload.
package struct ContentKey: Sendable {
    let secret: SecretSeed

    /// Nonce, key and tag of a wrapped key, in bytes.
    package static let wrappedSize = 72

    package init(_ secret: SecretSeed) { self.secret = secret }

    /// A new random one.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func random() throws -> ContentKey { ContentKey(try SecretSeed()) }

    /// The key as `encrypted_file_key` of a manifest has it: 96 characters.
    ///
    /// Nothing in it says which file it is of.
    package func wrapped(by key: StoreKey) -> String {
        wrapped(by: key, nonce: XChaCha20Poly1305.randomNonce())
    }

    func wrapped(by key: StoreKey, nonce: [UInt8]) -> String {
        var sealed = [UInt8](repeating: 0, count: Self.wrappedSize - nonce.count)
        unsafe sealed.withUnsafeMutableBytes { sealed in
            unsafe secret.withBytes { secret in
                unsafe nonce.withUnsafeBytes { nonce in
                    unsafe XChaCha20Poly1305.seal(secret, into: sealed, key: key.secret, nonce: nonce)
                }
            }
        }
        return Base64.encode(nonce + sealed)
    }

    /// - Parameters:
    ///   - text: the `encrypted_file_key` of a manifest.
    ///   - key: the master key of the store.
    /// - Throws: ``ContentStoreError``: `damaged` where the text is none, `wrongKey` where the key does not open it;
    ///   `SecretsError`.
    package init(unwrapping text: String, with key: StoreKey) throws {
        guard let wrapped = StrictBase64.decode(text.utf8, isPadded: true),
            wrapped.count == Self.wrappedSize
        else { throw ContentStoreError(.damaged, "the wrapped key of the file is damaged") }
        let nonceSize = XChaCha20Poly1305.nonceByteCount
        secret = try unsafe SecretSeed { memory in
            let isOpen = unsafe wrapped.withUnsafeBytes { wrapped in
                unsafe XChaCha20Poly1305.open(
                    UnsafeRawBufferPointer(rebasing: wrapped[nonceSize...]), into: memory, key: key.secret,
                    nonce: UnsafeRawBufferPointer(rebasing: wrapped[..<nonceSize]))
            }
            guard isOpen else {
                throw ContentStoreError(
                    .wrongKey, "the master key does not open the key of the file, or that is damaged")
            }
        }
    }
}
