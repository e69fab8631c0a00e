import CValiseOpenSSL
import ValiseFailures
package import ValiseSecrets

/// Keys derived from a key by HKDF with SHA-256 (RFC 5869).
///
/// By libcrypto: libsodium has it since 1.0.19.
package enum HKDFSHA256 {
    /// Writes a derived key.
    ///
    /// - Parameters:
    ///   - secret: the input key material.
    ///   - salt: none for 32 zeros.
    ///   - info: what the key is for.
    ///   - key: gets at most 8,160 bytes.
    /// - Throws: ``CryptographyError`` with `failed`.
    package static func derive(
        _ secret: UnsafeRawBufferPointer, salt: [UInt8] = [], info: String,
        into key: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        defer { OpenSSLError.clear() }
        let info = Array(info.utf8)
        var count = key.count
        guard let secretCount = Int32(exactly: secret.count),
            let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        else { throw failure }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
            unsafe EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(clamping: salt.count)) == 1,
            unsafe EVP_PKEY_CTX_set1_hkdf_key(
                context, secret.baseAddress?.assumingMemoryBound(to: UInt8.self), secretCount) == 1,
            unsafe EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(clamping: info.count)) == 1,
            unsafe EVP_PKEY_derive(
                context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1,
            count == key.count
        else { throw failure }
    }

    private static var failure: CryptographyError {
        CryptographyError(.failed, "cannot derive a key: a system library failed")
    }
}

extension SecretSeed {
    /// A key derived from this one.
    ///
    /// - Parameters:
    ///   - salt: none for 32 zeros.
    ///   - info: what the key is for.
    /// - Throws: ``CryptographyError`` with `failed`; ``SecretsError`` when no guarded memory is available.
    package func derivedKey(salt: [UInt8] = [], info: String) throws -> SecretSeed {
        try unsafe SecretSeed { key in
            try unsafe withBytes { try unsafe HKDFSHA256.derive($0, salt: salt, info: info, into: key) }
        }
    }
}
