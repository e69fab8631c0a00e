import ValiseEncoding

/// Who may ask: whoever knows the token, as the first name of the path or as the password of HTTP's basic authentication with
/// any user name.
///
/// No input or output: what a request says comes in, and what is to be done comes out.
struct WebDAVAccess: Sendable {
    /// What is to be done with a request.
    enum Verdict: Sendable, Equatable {
        /// - Parameters:
        ///   - path: in the tree.
        ///   - prefix: what addresses begin with for who asked, without a slash at the end.
        case allowed(RequestPath, prefix: String)
        /// It has to say who it is.
        case unknown
        /// It gets nothing but this status and reason.
        case refused(Int, String)
    }

    let token: AccessToken
    /// What is given out: nothing else is needed to see everything.
    let address: String
    private let origin: LocalOrigin

    /// - Parameter port: the one that the server listens on.
    init(port: Int, token: AccessToken = AccessToken()) {
        self.token = token
        origin = LocalOrigin(port: port)
        address = "http://127.0.0.1:\(port)/\(token.text)/"
    }

    /// Judges a request.
    /// - Parameters:
    ///   - target: as the request has it.
    ///   - values: the values of a field by its name in lower case.
    func verdict(on target: String, _ values: (String) -> [String]) -> Verdict {
        guard origin.isNamed(by: values("host")) else {
            return .refused(403, "This is not the address of this server.")
        }
        guard origin.isOwn(origins: values("origin"), sites: values("sec-fetch-site")) else {
            return .refused(403, "Another page asked for this.")
        }
        guard let path = RequestPath(target) else {
            return hasPassword(values("authorization")) ? .refused(400, "This is no path.") : .unknown
        }
        if let first = path.names.first, token.equals(first) {
            return .allowed(RequestPath(names: Array(path.names.dropFirst())), prefix: "/\(token.text)")
        }
        return hasPassword(values("authorization")) ? .allowed(path, prefix: "") : .unknown
    }

    private static let longestField = 1024

    private func hasPassword(_ fields: [String]) -> Bool {
        guard fields.count == 1, fields[0].utf8.count <= Self.longestField else { return false }
        let words = fields[0].split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic",
            let pair = Self.decoded(words[1].drop { $0 == " " }),
            let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return token.equals(pair[(colon + 1)...])
    }

    /// Base 64 has two other characters than the one for addresses.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return Base64URL.decode(String(decoding: digits, as: UTF8.self))
    }
}
