package import ValiseXFTPClient

/// A SOCKS5 proxy through which relays are reached: `HOST:PORT`, or `[ADDRESS]:PORT`.
public struct ProxyAddress: Equatable, Codable, Sendable {
    package let host: String
    package let port: UInt16

    /// - Returns: nil if it is not an address.
    public init?(_ text: String) {
        let text = text.hasPrefix("socks5://") ? String(text.dropFirst(9)) : text
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            port > 0
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, !host.contains("@") else { return nil }
        self.host = host
        self.port = port
    }
}

extension RelayConnectionOptions {
    /// How relays are reached through a proxy, or without.
    package init(through proxy: ProxyAddress?) {
        self.init(proxy: proxy.map { SOCKSProxy(host: $0.host, port: $0.port) })
    }
}
