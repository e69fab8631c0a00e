import CValiseMultiBuffer
import ValiseFailures
import ValiseSecrets

/// intel-ipsec-mb: HMAC-SHA512 only, many pages at once in the lanes of the vector unit.
final class MultiBufferEngine: PageEngine {
    private let state: OpaquePointer

    init(_ settings: CipherSettings, _ key: CipherKey) throws(PageCipherError) {
        guard settings.hmacAlgorithm == .sha512,
            let state = key.encryption.bytes.withBytes({ encryption in
                key.hmac.withBytes { hmac in
                    valise_multi_buffer_make(
                        encryption.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        hmac.baseAddress?.assumingMemoryBound(to: UInt8.self))
                }
            })
        else {
            throw PageCipherError(
                .unsupported, "the multi-buffer engine does not serve this processor or format")
        }
        self.state = state
    }

    deinit { valise_multi_buffer_free(state) }

    /// It checks in any case: both are one job to the library.
    func open(
        _ pages: UnsafeMutableBufferPointer<valise_page>, checks: Bool, decrypts: Bool
    ) throws(PageCipherError) {
        guard valise_multi_buffer_open(state, pages.baseAddress, pages.count, decrypts) else {
            throw .library("decrypt pages")
        }
    }

    func seal(_ pages: UnsafeMutableBufferPointer<valise_page>) throws(PageCipherError) {
        guard valise_multi_buffer_seal(state, pages.baseAddress, pages.count) else {
            throw .library("encrypt pages")
        }
    }
}
