import CValiseOpenSSL
import ValiseFailures

/// The HMAC with SHA-256 (RFC 2104) of what comes in pieces.
///
/// By libcrypto, which uses the processor's instructions and wipes the pads of the key when it frees them.
@safe package struct HMACSHA256Stream: ~Copyable {
    private let context: OpaquePointer

    package static let byteCount = 32

    /// - Parameter key: 1 byte or more.
    /// - Throws: ``CryptographyError`` with `failed`.
    package init(key: UnsafeRawBufferPointer) throws(CryptographyError) {
        defer { OpenSSLError.clear() }
        guard let context = unsafe EVP_MD_CTX_new() else { throw Self.failure }
        let secret = unsafe EVP_PKEY_new_raw_private_key(
            EVP_PKEY_HMAC, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count)
        // The context holds it for as long as it lives.
        defer { unsafe EVP_PKEY_free(secret) }
        guard unsafe secret != nil, unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, secret) == 1
        else {
            unsafe EVP_MD_CTX_free(context)
            throw Self.failure
        }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe EVP_DigestSignUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The code of all that was added, 32 bytes. Call it once.
    package mutating func finalize() -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Self.byteCount)
        var count = code.count
        unsafe EVP_DigestSignFinal(context, &code, &count)
        return code
    }

    /// Whether a code is that of all that was added, compared in constant time. Call it once.
    package mutating func finalize(equals claimed: [UInt8]) -> Bool {
        let code = finalize()
        return unsafe claimed.count == code.count && CRYPTO_memcmp(code, claimed, code.count) == 0
    }

    private static var failure: CryptographyError {
        CryptographyError(.failed, "cannot compute an authentication code: a system library failed")
    }
}
