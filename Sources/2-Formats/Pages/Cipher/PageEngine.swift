import CValiseMultiBuffer

/// Which implementation of the cipher works on the pages.
package enum PageEngineKind: String, Sendable, Codable, CaseIterable {
    /// OpenSSL's libcrypto: everywhere, all settings.
    case libcrypto
    /// intel-ipsec-mb: x86-64 with AVX2 or newer, HMAC-SHA512 only; many pages at once.
    case multiBuffer

    /// The fastest one that this processor and these settings have.
    package static func best(for settings: CipherSettings) -> PageEngineKind {
        multiBufferIsServed && settings.hmacAlgorithm == .sha512 ? .multiBuffer : .libcrypto
    }

    /// The version of intel-ipsec-mb, such as `1.3.0`; nil where it is not linked.
    package static var multiBufferVersion: String? {
        guard let version = unsafe valise_multi_buffer_version() else { return nil }
        return unsafe String(cString: version)
    }

    private static let multiBufferIsServed = valise_multi_buffer_is_served()

    /// - Throws: `PageCipherError` when this machine has not got it.
    func make(_ settings: CipherSettings, _ key: CipherKey) throws -> any PageEngine {
        switch self {
        case .libcrypto: try LibcryptoEngine(settings, key)
        case .multiBuffer: try MultiBufferEngine(settings, key)
        }
    }
}

/// Encrypts and decrypts pages with the keys of one file; for one thread.
///
/// In memory a page is its content, 16 bytes of IV, then the HMAC (Documentation/formats/cipher.md).
protocol PageEngine: AnyObject {
    /// Checks each page's HMAC and decrypts in place, whether it holds or not. The HMAC's bytes are lost.
    /// - Parameter checks: without, an engine may leave the HMACs out, and no page's status counts.
    func open(
        _ pages: UnsafeMutableBufferPointer<valise_page>, checks: Bool, decrypts: Bool
    ) throws(PageCipherError)
    /// Encrypts in place under the IV that lies behind the content, and writes the HMAC.
    func seal(_ pages: UnsafeMutableBufferPointer<valise_page>) throws(PageCipherError)
}
