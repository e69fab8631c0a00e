import NIOHTTP1
import ValiseFailures

/// What a program gets: a head, and a body that is small enough to be in memory, or a range of a file.
struct WebDAVResponse: Sendable {
    private let status: HTTPResponseStatus
    private let fields: [(String, String)]
    /// The whole; empty for what is sent piece by piece.
    let body: [UInt8]
    /// Of a file; empty for all else.
    let range: Range<Int64>

    private init(
        _ status: HTTPResponseStatus, _ fields: [(String, String)] = [], body: [UInt8] = [],
        range: Range<Int64> = 0..<0
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.range = range
    }

    /// What all answers have: nothing is kept or guessed, and no page of another server gets anything of it.
    private static let common = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"), ("DAV", "1"),
    ]

    private static let allowed = ("Allow", "OPTIONS, GET, HEAD, PROPFIND")
    private static let xml = ("Content-Type", "application/xml; charset=utf-8")

    /// The head.
    /// - Parameters:
    ///   - size: of the body, in bytes; nil where that is not known.
    ///   - isLast: whether the connection ends with it.
    func head(for request: HTTPRequestHead, size: Int64?, isLast: Bool = false) -> HTTPResponseHead {
        var headers = HTTPHeaders(Self.common + fields)
        let isEndedByClose = size == nil && request.version.major == 1 && request.version.minor == 0
        if let size {
            headers.add(name: "Content-Length", value: "\(size)")
        } else if !isEndedByClose {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        let isKept = request.isKeepAlive && !isLast && !isEndedByClose
        headers.add(name: "Connection", value: isKept ? "keep-alive" : "close")
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }

    // MARK: Kinds

    /// What can be asked for.
    static let options = WebDAVResponse(.ok, [allowed, ("MS-Author-Via", "DAV")])

    /// Who asks has to give the password.
    static let unknown = WebDAVResponse(
        .unauthorized,
        [
            ("WWW-Authenticate", "Basic realm=\"valise\", charset=\"UTF-8\""),
            ("Content-Type", "text/plain;charset=utf-8"),
        ], body: Array("This address needs its token, in the path or as the password.\n".utf8))

    static let missing = text("There is no such file or folder.", status: 404)

    /// Everything at once is not answered (RFC 4918, section 9.1.1).
    static let infiniteDepth = WebDAVResponse(
        .forbidden, [xml],
        body: Array(
            (#"<?xml version="1.0" encoding="utf-8"?>"#
                + "\n<D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>\n").utf8))

    static let multiStatus = WebDAVResponse(.multiStatus, [xml])
    static let page = WebDAVResponse(.ok, [("Content-Type", "text/html; charset=utf-8")])

    /// Some words.
    static func text(_ text: String, status: Int) -> WebDAVResponse {
        var fields = [("Content-Type", "text/plain;charset=utf-8")]
        if status == 405 { fields.append(allowed) }
        return WebDAVResponse(
            HTTPResponseStatus(statusCode: status), fields, body: Array("\(text)\n".utf8))
    }

    static func redirect(to address: String) -> WebDAVResponse {
        WebDAVResponse(.movedPermanently, [("Location", address)])
    }

    /// Why a file or a folder cannot be read.
    static func failure(_ failure: any Failure) -> WebDAVResponse {
        text(
            "This cannot be read: \(failure.message.replacingControls { _ in "?" }).",
            status: failure.code == .gone ? 404 : 500)
    }

    /// A file, or a part of it.
    static func file(_ range: RequestedRange, tag: String, size: Int64) -> WebDAVResponse {
        let fields = [
            ("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes"), ("ETag", tag),
        ]
        switch range {
        case .complete: return WebDAVResponse(.ok, fields, range: 0..<size)
        case .part(let part):
            let place = ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            return WebDAVResponse(.partialContent, fields + [place], range: part)
        case .unsatisfiable:
            return WebDAVResponse(.rangeNotSatisfiable, [("Content-Range", "bytes */\(size)")])
        }
    }
}
