import CValiseCurl
import ValiseFailures

/// libcurl, which is loaded when it is first needed (decision 0054). Every handle of it comes from here.
package enum CurlLibrary {
    /// The version of the loaded library, such as `7.88.1`.
    /// - Throws: ``StorageError`` where it is missing.
    package static func version() throws(StorageError) -> String {
        try load()
        guard let text = unsafe valise_curl_version() else { return "?" }
        return unsafe String(cString: text)
    }

    /// Loads it, if nobody did yet.
    static func load() throws(StorageError) { try unsafe check(valise_curl_load()) }

    /// Loads another library as if it were libcurl. Nothing of it is used: this is for tests.
    /// - Throws: ``StorageError`` where it is missing, or is not libcurl.
    package static func tryLoading(_ name: String) throws(StorageError) {
        try unsafe check(valise_curl_try(name))
    }

    /// - Parameter reason: why it could not be loaded; nil if it was.
    private static func check(_ reason: UnsafePointer<CChar>?) throws(StorageError) {
        guard let reason = unsafe reason else { return }
        let text = unsafe String(cString: reason).replacingControls { _ in "?" }
        throw StorageError(
            .general, .failed, "cannot load libcurl, which backups on servers need: \(text)",
            remedy: .installLibcurl)
    }
}
