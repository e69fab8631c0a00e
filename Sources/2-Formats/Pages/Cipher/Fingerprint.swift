import CValiseMultiBuffer
import CValiseOpenSSL

/// Short sums of what is written, to be compared with those of what is read back.
///
/// A universal hash, GHASH, under a key that is drawn for this object alone: whatever happens to a mebibyte of bytes on
/// its way, the chance that its sum stays the same is one in 2^112. It needs a tenth of the time that the HMACs of the
/// pages need. The sums of two objects have nothing to do with each other. Any thread may use it.
@safe package final class Fingerprint: @unchecked Sendable {
    // Unchecked: both are made in the init and only read afterwards: intel-ipsec-mb takes its key as a constant, and each
    // sum of libcrypto has a copy of the context for itself.
    package typealias Sum = SIMD2<UInt64>

    /// intel-ipsec-mb's; nil where it does not serve.
    private let multiBuffer: OpaquePointer?
    /// libcrypto's GMAC, which is GHASH too, with its key.
    private let mac: OpaquePointer?

    /// - Parameter engine: nil for the fastest.
    /// - Throws: ``PageCipherError`` when the library fails or the system has no randomness.
    package init(engine: PageEngineKind? = nil) throws {
        let key = try Randomness.bytes(CipherSettings.keySize)
        unsafe multiBuffer = unsafe engine == .libcrypto ? nil : valise_fingerprint_make(key)
        unsafe mac = unsafe multiBuffer == nil ? try Self.makeMAC(key) : nil
    }

    deinit {
        unsafe valise_fingerprint_free(multiBuffer)
        unsafe EVP_MAC_CTX_free(mac)
    }

    private static func makeMAC(_ key: [UInt8]) throws(PageCipherError) -> OpaquePointer {
        guard let implementation = unsafe EVP_MAC_fetch(nil, "GMAC", nil) else {
            throw .library("initialize")
        }
        defer { unsafe EVP_MAC_free(implementation) }
        guard let context = unsafe EVP_MAC_CTX_new(implementation) else { throw .library("initialize") }
        var name = Array("AES-256-GCM".utf8CString)
        // One for all sums: they are compared here and shown to nobody.
        var nonce = [UInt8](repeating: 0, count: 12)
        // The parameters keep the addresses: as arguments the strings would live for that call only.
        let started = unsafe OSSL_MAC_PARAM_CIPHER.withCString { cipher in
            unsafe OSSL_MAC_PARAM_IV.withCString { iv in
                unsafe name.withUnsafeMutableBufferPointer { name in
                    unsafe nonce.withUnsafeMutableBufferPointer { nonce in
                        let parameters = unsafe [
                            OSSL_PARAM_construct_utf8_string(cipher, name.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(iv, nonce.baseAddress, nonce.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        return unsafe EVP_MAC_init(context, key, key.count, parameters)
                    }
                }
            }
        }
        guard started == 1 else {
            unsafe EVP_MAC_CTX_free(context)
            throw .library("initialize")
        }
        return unsafe context
    }

    /// The sum of some bytes.
    /// - Throws: ``PageCipherError`` when the library fails.
    package func sum(_ bytes: UnsafeRawBufferPointer) throws(PageCipherError) -> Sum {
        var sum = Sum()
        let isTaken = unsafe withUnsafeMutableBytes(of: &sum) { result in
            let place = unsafe result.baseAddress?.assumingMemoryBound(to: UInt8.self)
            if let multiBuffer = unsafe multiBuffer {
                unsafe valise_fingerprint_take(multiBuffer, bytes.baseAddress, bytes.count, place)
                return true
            }
            let context = unsafe EVP_MAC_CTX_dup(mac)
            defer { unsafe EVP_MAC_CTX_free(context) }
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe context != nil && EVP_MAC_update(context, start, bytes.count) == 1
                && EVP_MAC_final(context, place, nil, result.count) == 1
        }
        guard isTaken else { throw .library("compare the written data") }
        return sum
    }
}
