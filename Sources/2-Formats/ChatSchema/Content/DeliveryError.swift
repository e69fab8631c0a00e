/// Why a message was not delivered.
package enum DeliveryError: Sendable, Hashable {
    /// The queue is gone: the contact or member deleted it.
    case auth
    /// The queue is full.
    case quota
    case expired
    case relay(RelayError)
    /// From the relay through which it was sent.
    case proxy(host: String, RelayError)
    /// From the relay that was reached through another one.
    case proxyRelay(host: String, RelayError)
    /// Any text.
    case other(String)

    /// What a relay reports.
    package enum RelayError: Sendable, Hashable {
        case host
        case version
        case other(String)

        /// Nil where it is none of them.
        init?(_ text: Substring) {
            switch text {
            case "host": self = .host
            case "version": self = .version
            default:
                guard let rest = text.after("other ") else { return nil }
                self = .other(String(rest))
            }
        }
    }

    /// Reads what follows the word of a status. A text of no known form is kept.
    init(_ text: Substring) {
        self = Self.known(text) ?? .other(String(text.after("other ") ?? text))
    }

    private static func known(_ text: Substring) -> Self? {
        switch text {
        case "auth": return .auth
        case "quota": return .quota
        case "expired": return .expired
        default: break
        }
        if let rest = text.after("relay ") { return RelayError(rest).map { .relay($0) } }
        let isProxy = text.after("proxy ") != nil
        guard let rest = text.after("proxy ") ?? text.after("proxy_relay "),
            let space = rest.firstIndex(of: " "),
            let error = RelayError(rest[rest.index(after: space)...])
        else { return nil }
        let host = String(rest[..<space])
        return isProxy ? .proxy(host: host, error) : .proxyRelay(host: host, error)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// What follows a beginning; nil where the text has another one.
    func after(_ beginning: String) -> Substring? {
        utf8.starts(with: beginning.utf8)
            ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
    }
}
