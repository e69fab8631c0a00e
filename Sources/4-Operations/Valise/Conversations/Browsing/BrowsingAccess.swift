import Synchronization
import ValiseChatLog
import ValiseMounting

/// Who may see pages: whoever opens the address that was given out first, and then that browser alone.
///
/// No input or output: what a request says comes in, and what is to be done comes out.
final class BrowsingAccess: Sendable {
    /// What a request says of itself.
    struct Request: Sendable {
        /// Such as `GET`.
        var method: String
        /// With its query.
        var target: String
        /// The fields of its head.
        var fields: [(name: String, value: String)]

        /// The values of a field, in their order.
        func values(of name: String) -> [String] {
            fields.filter { $0.name.lowercased() == name }.map(\.value)
        }
    }

    /// What is to be done with a request.
    enum Verdict: Sendable, Equatable {
        case allowed
        /// It gets this cookie, and the first page next. The address is used up.
        case entered(cookie: String)
        /// It gets nothing but this status and reason.
        case refused(Int, String)
    }

    /// The one it listens on.
    let port: Int
    /// What whoever shall see the pages opens.
    let address: String
    /// Nil once it was used.
    private let token: Mutex<AccessToken?>
    private let session = AccessToken()
    private let origin: LocalOrigin

    /// - Parameter port: the one it listens on.
    init(port: Int) {
        self.port = port
        let token = AccessToken()
        address = "http://127.0.0.1:\(port)/?\(Self.parameter)=\(token.text)"
        self.token = Mutex(token)
        origin = LocalOrigin(port: port)
    }

    private static let parameter = "token"

    /// Judges a request.
    func verdict(on request: Request) -> Verdict {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .refused(405, "Pages can only be read.")
        }
        guard origin.isNamed(by: request.values(of: "host")) else {
            return .refused(403, "This is not the address of these pages.")
        }
        let token = PageAddress(request.target).flatMap { $0.path.isEmpty ? $0.query[Self.parameter] : nil }
        if let token, !hasSession(request) { return enter(with: token, request) }
        guard comesFromHere(request) else { return .refused(403, "Another page asked for this.") }
        guard hasSession(request) else {
            return .refused(403, "Open the address that was shown when browsing began. It works once.")
        }
        return token == nil ? .allowed : .entered(cookie: cookie)
    }

    private func comesFromHere(_ request: Request) -> Bool {
        origin.isOwn(origins: request.values(of: "origin"), sites: request.values(of: "sec-fetch-site"))
    }

    /// A look ahead of the browser's, or of a program that looks at what an address leads to, does not use it up.
    private func enter(with token: String, _ request: Request) -> Verdict {
        let purposes = request.values(of: "sec-purpose") + request.values(of: "purpose")
        guard request.method == "GET", purposes.isEmpty else {
            return .refused(403, "Only a page that is opened may use this address.")
        }
        let isRight = self.token.withLock { expected in
            guard let known = expected, known.equals(token.utf8) else { return false }
            expected = nil
            return true
        }
        guard isRight else {
            return .refused(403, "This address was used already, or is not the one that was shown.")
        }
        return .entered(cookie: cookie)
    }

    /// The name has the port: cookies of all servers of this machine come to each of them.
    private var cookieName: String { "valise-\(port)" }

    private var cookie: String {
        "\(cookieName)=\(session.text); Path=/; HttpOnly; SameSite=Strict"
    }

    private func hasSession(_ request: Request) -> Bool {
        let pairs = request.values(of: "cookie").flatMap { $0.split(separator: ";") }
        return pairs.contains { pair in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix("\(cookieName)=") else { return false }
            return session.equals(pair.utf8.dropFirst(cookieName.utf8.count + 1))
        }
    }
}
