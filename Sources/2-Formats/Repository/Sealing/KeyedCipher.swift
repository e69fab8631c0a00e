import CValiseOpenSSL

/// A cipher of libcrypto with its key: the schedule of the key is made once, as blobs of one page take less time than that and
/// the rest of a start.
@safe struct KeyedCipher: ~Copyable, Sendable {
    private let context: OwnedContext

    /// - Parameter algorithm: libcrypto's own object, which lives as long as the process.
    /// - Throws: ``RepositoryError``: `failed`.
    init(_ algorithm: OpaquePointer?, key: UnsafeRawBufferPointer) throws(RepositoryError) {
        guard
            let context = unsafe OwnedContext(
                EVP_CIPHER_CTX_new(), free: { unsafe EVP_CIPHER_CTX_free($0) }),
            unsafe EVP_CIPHER_get_key_length(algorithm) == key.count,
            unsafe EVP_EncryptInit_ex(
                context.pointer, algorithm, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
                == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context.pointer, 0) == 1
        else { throw .library("encrypt") }
        self.context = context
    }

    /// Starts at an initialization vector.
    mutating func start(at vector: UnsafeRawBufferPointer) throws(RepositoryError) {
        guard
            unsafe EVP_EncryptInit_ex(
                context.pointer, nil, nil, nil, vector.baseAddress?.assumingMemoryBound(to: UInt8.self)) == 1
        else { throw .library("encrypt") }
    }

    /// Encrypts bytes; in counter mode that is the same as to decrypt them.
    ///
    /// - Parameters:
    ///   - input: whole blocks, except in counter mode.
    ///   - output: as long as the input. It may be the same memory, not one that overlaps it.
    mutating func transform(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) {
        guard input.count > 0 else { return }
        var written: Int32 = 0
        guard output.count >= input.count, let count = Int32(exactly: input.count),
            unsafe EVP_EncryptUpdate(
                context.pointer, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
                input.baseAddress?.assumingMemoryBound(to: UInt8.self), count) == 1,
            written == count
        else { throw .library("encrypt or decrypt") }
    }
}
