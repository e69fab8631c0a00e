import CValiseCurl
import ValiseFailures

/// One handle of libcurl: a connection that may be kept, with what belongs to it.
@safe final class CurlHandle: @unchecked Sendable {
    // Unchecked: it is in the list of idle ones, which has a lock, or with the one thread that took it from there.
    private let handle: UnsafeMutableRawPointer

    /// - Throws: ``StorageError`` where the library is missing or memory is short.
    init() throws(StorageError) {
        try CurlLibrary.load()
        guard let handle = unsafe valise_curl_open() else {
            throw StorageError(.general, .failed, "not enough memory for a connection")
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe valise_curl_close(handle) }

    /// Runs one request to its end.
    func perform(_ request: valise_http_request) -> valise_http_result {
        var result = valise_http_result()
        unsafe withUnsafePointer(to: request) { unsafe valise_curl_perform(handle, $0, &result) }
        return result
    }
}
