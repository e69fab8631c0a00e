import CValiseOpenSSL
import ValiseFailures

/// AES-256 in CBC mode with the padding of PKCS #7, in pieces, by libcrypto. It authenticates nothing.
@safe package struct AESCBC: ~Copyable {
    private let context: OpaquePointer

    package enum Direction: Sendable {
        case encrypting, decrypting
    }

    package static let keyByteCount = 32
    package static let blockByteCount = 16

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - vector: the initialization vector, 16 bytes.
    ///   - direction: what is done.
    /// - Throws: ``CryptographyError``: `invalid` for other lengths, `failed`.
    package init(
        key: UnsafeRawBufferPointer, vector: [UInt8], _ direction: Direction
    ) throws(CryptographyError) {
        guard key.count == Self.keyByteCount, vector.count == Self.blockByteCount else {
            throw CryptographyError(.invalid, "wrong key or vector length")
        }
        defer { OpenSSLError.clear() }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Self.failure }
        let isReady = unsafe EVP_CipherInit_ex2(
            context, EVP_aes_256_cbc(), key.baseAddress?.assumingMemoryBound(to: UInt8.self), vector,
            direction == .encrypting ? 1 : 0, nil)
        guard isReady == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw Self.failure
        }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// Transforms the next piece.
    ///
    /// - Parameters:
    ///   - input: any number of bytes.
    ///   - output: at least 16 bytes longer.
    /// - Returns: how many bytes were written.
    /// - Throws: ``CryptographyError`` with `failed`.
    package mutating func update(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) -> Int {
        guard input.count > 0 else { return 0 }
        precondition(output.count >= input.count + Self.blockByteCount)
        defer { OpenSSLError.clear() }
        var written: Int32 = 0
        guard let count = Int32(exactly: input.count),
            unsafe EVP_CipherUpdate(
                context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                input.baseAddress?.assumingMemoryBound(to: UInt8.self), count) == 1
        else { throw Self.failure }
        return Int(written)
    }

    /// Transforms the last block, with its padding. Call it once.
    ///
    /// - Parameter output: at least 16 bytes.
    /// - Returns: how many bytes were written; nil where what was decrypted does not end with a padding.
    package mutating func finalize(into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(output.count >= Self.blockByteCount)
        defer { OpenSSLError.clear() }
        var written: Int32 = 0
        let result = unsafe EVP_CipherFinal_ex(
            context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written)
        return result == 1 ? Int(written) : nil
    }

    private static var failure: CryptographyError {
        CryptographyError(.failed, "cannot encrypt or decrypt: a system library failed")
    }
}
