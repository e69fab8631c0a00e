import CValiseOpenSSL
import CValiseSodium

/// Which libraries of cryptography are loaded.
package enum CryptographyVersions {
    /// Such as `3.0.15`.
    package static var openSSL: String {
        unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) } ?? "?"
    }

    /// Such as `1.0.18`.
    package static var sodium: String {
        unsafe sodium_version_string().map { unsafe String(cString: $0) } ?? "?"
    }
}
