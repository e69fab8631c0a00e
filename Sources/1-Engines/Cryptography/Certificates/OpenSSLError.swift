import CValiseOpenSSL

/// What OpenSSL says about its last failure on this thread.
package struct OpenSSLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The number of the reason within its library; alerts of a peer are 1000 and more.
    package let reason: Int32
    /// OpenSSL's own words.
    package let description: String

    /// The first failure of the queue, which is empty afterwards; nil when there was none.
    package static func take() -> OpenSSLError? {
        let code = ERR_get_error()
        guard code != 0 else { return nil }
        ERR_clear_error()
        let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return OpenSSLError(reason: ERR_GET_REASON(code), description: text ?? "OpenSSL error \(code)")
    }

    /// Forgets what earlier calls left: OpenSSL judges some results by the queue.
    package static func clear() { ERR_clear_error() }
}
