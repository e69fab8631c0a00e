import CValiseOpenSSL

/// One running digest of libcrypto, which uses the processor's instructions for it: libsodium's portable code takes
/// eight times as long where there are some.
@safe struct MessageDigest: ~Copyable, @unchecked Sendable {
    // Unchecked: whoever has it is the only owner, as it cannot be copied, and the context is nobody else's.
    private let context: OpaquePointer
    private let size: Int

    /// - Parameter algorithm: libcrypto's own object, which lives as long as the process.
    init(_ algorithm: OpaquePointer?, size: Int) {
        // Without memory for a context of some hundred bytes nothing else would work either.
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, algorithm, nil) == 1
        else {
            preconditionFailure("libcrypto could not start a digest")
        }
        unsafe self.context = unsafe context
        self.size = size
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        unsafe EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
