import CValiseCurl
import ValiseEncoding
import ValiseFailures

extension HTTPRequest {
    /// The URL as messages have it: without the query, which for S3 has tokens.
    var shownURL: String { String(url.prefix { $0 != "?" }) }
}

extension StorageError {
    /// A request without a complete answer.
    init(_ result: valise_http_result, _ exchange: HTTPExchange, _ request: HTTPRequest) {
        let reason = Self.reason(of: result)
        let subject = request.shownURL
        if exchange.isHeadTooLong {
            self.init(.answer, .failed, "the server's answer has too long a head", subject)
            return
        }
        switch result.outcome {
        case VALISE_CURL_UNREACHABLE:
            self.init(
                .unreachable, .failed, "cannot reach the server: \(reason)", subject,
                remedy: .checkServerAddress)
        case VALISE_CURL_TIMEOUT:
            self.init(
                .unreachable, .failed, "the server does not answer: \(reason)", subject, remedy: .tryLater)
        case VALISE_CURL_BROKEN_ANSWER:
            self.init(.answer, .failed, "the server's answer is incomplete or invalid: \(reason)", subject)
        case VALISE_CURL_UNTRUSTED:
            self.init(
                .general, .denied, "the server's certificate is not trusted: \(reason)", subject,
                remedy: .checkServerAddress)
        case VALISE_CURL_AUTHORITIES:
            self.init(.general, .invalid, "cannot read the file of trusted certificates: \(reason)", subject)
        default: self.init(.general, .failed, "cannot run the request: \(reason)", subject)
        }
    }

    /// In libcurl's words.
    private static func reason(of result: valise_http_result) -> String {
        let text = unsafe withUnsafeBytes(of: result.reason) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let shown = text.replacingControls { _ in " " }
        return shown.isEmpty ? "error \(result.code)" : shown
    }

    /// An answer with a status that is no success.
    /// - Parameters:
    ///   - subject: what it is about.
    ///   - hasUser: whether the request named a user.
    init(_ response: HTTPResponse, _ subject: String, hasUser: Bool) {
        switch response.status {
        case 401, 403:
            self.init(
                .credentials, .denied,
                hasUser
                    ? "the server does not accept the user name or password (\(response.status))"
                    : "the server asks for a user name and password (\(response.status))", subject,
                remedy: .checkServerPassword)
        case 404: self.init(.general, .notFound, "missing on the server", subject)
        case 407: self.init(.credentials, .denied, "the proxy asks for a user name and password", subject)
        case 408: self.init(.unreachable, .failed, "the server waited too long for the request", subject)
        case 413, 507: self.init(.general, .noSpace, "no free space on the server", subject)
        case 429, 503:
            self.init(
                .busy, .failed, "the server is busy\(Self.pause(response))", subject, remedy: .tryLater,
                retryAfter: response.retryAfter)
        case 501: self.init(.general, .unsupported, "the server does not support the request", subject)
        case 500...599:
            self.init(.server, .failed, "the server failed\(Self.said(response))", subject, remedy: .tryLater)
        case 300...399:
            self.init(
                .general, .failed, "the server redirects to another place (\(response.status))", subject,
                remedy: .checkServerAddress)
        default: self.init(.general, .failed, "the server refuses the request\(Self.said(response))", subject)
        }
    }

    private static func pause(_ response: HTTPResponse) -> String {
        response.retryAfter.map { " for \(Count.text($0, "second"))" } ?? ""
    }

    /// The status and the beginning of what a server says to a user.
    private static func said(_ response: HTTPResponse) -> String {
        let line = response.body.prefix(100).prefix { $0 != 10 && $0 != 13 }
        let text = String(decoding: line, as: UTF8.self).replacingControls { _ in " " }
        return text.isEmpty || text.hasPrefix("<")
            ? " (\(response.status))" : " (\(response.status): \(text))"
    }
}

extension HTTPResponse {
    /// How many seconds the server asks to wait; nil where it does not, or gives a time of day.
    package var retryAfter: Int? {
        guard let text = self["retry-after"], let seconds = Int(text), (0...86_400).contains(seconds) else {
            return nil
        }
        return seconds
    }
}
