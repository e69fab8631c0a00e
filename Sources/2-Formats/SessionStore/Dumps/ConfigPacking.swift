import CValiseZstd
import ValiseEncoding
import ValiseSecrets

/// The packing of a configuration: a byte `z`, then Zstandard without a dictionary (fact sheet of Session, §6).
enum ConfigPacking {
    static let mark = UInt8(ascii: "z")
    /// The longest configuration, in bytes: a few packed bytes can claim, and become, any size.
    static let longest = 4 << 20
    private static let level: Int32 = 1
    private static let growth = 8

    /// - Throws: ``SessionStoreError`` with `failed`; `SecretsError` when no guarded memory is available.
    static func pack(_ message: SharedSecret) throws -> SharedSecret {
        let packed = try unsafe SecretBytes(capacity: 1 + ZSTD_compressBound(message.bytes.count)) { memory in
            unsafe memory[0] = mark
            let result = unsafe message.bytes.withBytes { bytes in
                unsafe ZSTD_compress(
                    memory.baseAddress! + 1, memory.count - 1, bytes.baseAddress, bytes.count, level)
            }
            guard ZSTD_isError(result) == 0 else {
                throw SessionStoreError(.failed, "cannot compress a configuration")
            }
            return 1 + result
        }
        return SharedSecret(packed)
    }

    /// - Parameter start: where the frame begins.
    /// - Throws: ``SessionStoreError``: `damaged` for what is no frame, `unsupported` for what becomes too long;
    ///   `SecretsError` when no guarded memory is available.
    static func unpack(_ message: SharedSecret, from start: Int) throws -> SharedSecret {
        // Nobody believes the size that the frame claims: the memory grows with what is really in it.
        var capacity = min(longest, max(4096, message.bytes.count * growth))
        while true {
            if let unpacked = try unpack(message, start, capacity) {
                guard !unpacked.bytes.isEmpty else { throw damaged }
                return unpacked
            }
            guard capacity < longest else {
                throw SessionStoreError(
                    .unsupported, "the configuration exceeds the limit of \(Count.bytes(Int64(longest)))")
            }
            capacity = min(longest, capacity * growth)
        }
    }

    /// Nil where there is more than the capacity.
    private static func unpack(
        _ message: SharedSecret, _ start: Int, _ capacity: Int
    ) throws -> SharedSecret? {
        var result = 0
        let unpacked = try unsafe SecretBytes(capacity: capacity) { memory in
            unsafe message.bytes.withBytes { bytes in
                let frame = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
                result = unsafe ZSTD_decompress(memory.baseAddress, capacity, frame.baseAddress, frame.count)
            }
            return ZSTD_isError(result) == 0 ? result : 0
        }
        if ZSTD_isError(result) == 0 { return SharedSecret(unpacked) }
        guard ZSTD_getErrorCode(result) == ZSTD_error_dstSize_tooSmall else { throw damaged }
        return nil
    }

    private static var damaged: SessionStoreError {
        SessionStoreError(.damaged, "the compressed configuration is damaged")
    }
}
