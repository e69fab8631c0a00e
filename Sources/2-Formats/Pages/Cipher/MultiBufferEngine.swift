import CValiseMultiBuffer
import ValiseFailures
import ValiseSecrets

/// intel-ipsec-mb: HMAC-SHA512 only, many pages at once in the lanes of the vector unit.
@safe final class MultiBufferEngine: PageEngine {
    private let state: OpaquePointer

    init(_ settings: CipherSettings, _ key: CipherKey) throws(PageCipherError) {
        guard settings.hmacAlgorithm == .sha512,
            let state = unsafe key.encryption.bytes.withBytes({ encryption in
                unsafe key.hmac.bytes.withBytes { hmac in
                    unsafe valise_multi_buffer_make(
                        encryption.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        hmac.baseAddress?.assumingMemoryBound(to: UInt8.self))
                }
            })
        else {
            throw PageCipherError(
                .unsupported, "the multi-buffer engine does not support this processor or format")
        }
        unsafe self.state = unsafe state
    }

    deinit { unsafe valise_multi_buffer_free(state) }

    /// It checks in any case: both are one job to the library.
    func open(
        _ pages: UnsafeMutableBufferPointer<valise_page>, checks: Bool, decrypts: Bool
    ) throws(PageCipherError) {
        guard unsafe valise_multi_buffer_open(state, pages.baseAddress, pages.count, decrypts) else {
            throw .library("decrypt pages")
        }
    }

    func seal(_ pages: UnsafeMutableBufferPointer<valise_page>) throws(PageCipherError) {
        guard unsafe valise_multi_buffer_seal(state, pages.baseAddress, pages.count) else {
            throw .library("encrypt pages")
        }
    }
}
