import CValiseBlake3
import ValiseFailures

/// libblake3, which is loaded when it is first needed.
package enum BLAKE3Library {
    /// The version of the loaded library, such as `1.8.2`.
    /// - Throws: ``CryptographyError`` with `failed` where it cannot be loaded.
    package static func version() throws(CryptographyError) -> String {
        try load()
        return unsafe String(cString: valise_blake3_version())
    }

    /// Asks for the library before a long operation does.
    /// - Throws: ``CryptographyError`` with `failed` where it cannot be loaded.
    package static func load() throws(CryptographyError) { try unsafe check(valise_blake3_load()) }

    /// What would be thrown for a library of another name, of which nothing is used.
    static func attempt(_ name: String) throws(CryptographyError) {
        try unsafe check(valise_blake3_try(name))
    }

    private static func check(_ reason: UnsafePointer<CChar>?) throws(CryptographyError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason)
        throw CryptographyError(
            .failed, "cannot load libblake3, which computes digests: \(text)", remedy: .installLibblake3)
    }
}
