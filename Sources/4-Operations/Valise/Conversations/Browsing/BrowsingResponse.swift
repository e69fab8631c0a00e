import NIOHTTP1
import ValiseChatLog
import ValiseFailures
import ValiseMounting

/// What a browser gets: a head, and a body that is small enough to be in memory, or a range of a file.
struct BrowsingResponse {
    private let status: HTTPResponseStatus
    private let fields: [(String, String)]
    /// The whole; empty for a file.
    let body: [UInt8]
    /// Of a file; empty for all else.
    let range: Range<Int64>

    private init(
        _ status: HTTPResponseStatus, _ fields: [(String, String)], body: [UInt8] = [],
        range: Range<Int64> = 0..<0
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.range = range
    }

    /// What all answers have: nothing is kept, nothing is guessed, and no other page gets anything of it. Names of hosts in messages
    /// are not looked up before somebody follows their links, which browsers do on pages without TLS.
    private static let common = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ("X-DNS-Prefetch-Control", "off"),
    ]

    private static let nothing = "default-src 'none'; frame-ancestors 'none'; sandbox"

    /// A picture that is opened by itself is shown by a page of the browser's own.
    private static let itself = "\(nothing); img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

    /// The head.
    func head(for request: HTTPRequestHead) -> HTTPResponseHead {
        var headers = HTTPHeaders(Self.common + fields)
        headers.add(name: "Content-Length", value: "\(body.isEmpty ? Int64(range.count) : Int64(body.count))")
        let isKept = request.isKeepAlive && status != .methodNotAllowed
        headers.add(name: "Connection", value: isKept ? "keep-alive" : "close")
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }

    // MARK: Kinds

    /// A page.
    static func page(_ bytes: [UInt8]) -> BrowsingResponse {
        let policy = "\(ServedPages.policy); frame-ancestors 'none'"
        return BrowsingResponse(
            .ok, [("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", policy)],
            body: bytes)
    }

    /// A script or a style of the pages.
    static func file(_ bytes: [UInt8], name: String) -> BrowsingResponse {
        let type =
            name.hasSuffix(".js") ? "text/javascript" : name.hasSuffix(".css") ? "text/css" : "text/plain"
        return BrowsingResponse(.ok, [("Content-Type", "\(type); charset=utf-8")], body: bytes)
    }

    /// Some words.
    static func text(_ text: String, status: Int) -> BrowsingResponse {
        var fields = [
            ("Content-Type", "text/plain;charset=utf-8"), ("Content-Security-Policy", nothing),
        ]
        if status == 405 { fields.append(("Allow", "GET, HEAD")) }
        return BrowsingResponse(
            HTTPResponseStatus(statusCode: status), fields, body: Array("\(text)\n".utf8))
    }

    /// Why a page or a file cannot be shown.
    static func failure(_ failure: any Failure) -> BrowsingResponse {
        text("This cannot be shown: \(failure.message).", status: failure.code == .notFound ? 404 : 500)
    }

    /// Another page.
    static func redirect(to address: String) -> BrowsingResponse {
        BrowsingResponse(.found, [("Location", address), ("Content-Security-Policy", nothing)])
    }

    /// What leads from the address that was given out to the first page.
    ///
    /// It is a page: after a redirection, the browser would still count the page as opened by whoever had the address, and keep
    /// the cookie back.
    static func entrance(cookie: String) -> BrowsingResponse {
        let page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta http-equiv="refresh" content="0; url=/"/>\
            <title>Messages</title><link rel="icon" href="data:,"/></head>\
            <body><p><a href="/">Messages</a></p></body></html>
            """
        return BrowsingResponse(
            .ok,
            [
                ("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", cookie),
                ("Content-Security-Policy", "default-src 'none'; img-src data:; frame-ancestors 'none'"),
            ], body: Array(page.utf8))
    }

    /// A file. What is no picture, video or sound can only be saved.
    static func media(_ media: ServedMedia, _ range: RequestedRange) -> BrowsingResponse {
        var fields = [
            ("Content-Type", media.type ?? "application/octet-stream"), ("Accept-Ranges", "bytes"),
            ("Content-Security-Policy", itself), ("Content-Disposition", disposition(of: media)),
        ]
        switch range {
        case .complete: return BrowsingResponse(.ok, fields, range: 0..<media.size)
        case .part(let part):
            let place = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(media.size)"
            fields.append(("Content-Range", place))
            return BrowsingResponse(.partialContent, fields, range: part)
        case .unsatisfiable:
            return BrowsingResponse(
                .rangeNotSatisfiable,
                [("Content-Range", "bytes */\(media.size)"), ("Content-Security-Policy", nothing)])
        }
    }

    /// The name as RFC 6266 has it: nothing of it can end the field.
    private static func disposition(of media: ServedMedia) -> String {
        let name = media.name.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "\(media.type == nil ? "attachment" : "inline"); filename*=UTF-8''\(name.joined())"
    }
}
