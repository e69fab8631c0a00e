import ArgumentParser
import ValiseXFTPClient

/// How relays are reached: for every command that uses the network.
struct ProxyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Reach relays through this SOCKS5 proxy, such as Tor's 127.0.0.1:9050. Names are resolved by it.",
            valueName: "host:port"))
    var proxy: ProxyAddress?

    var connection: RelayConnectionOptions { Self.connection(proxy) }

    /// How relays are reached through a proxy, or without.
    static func connection(_ proxy: ProxyAddress?) -> RelayConnectionOptions {
        RelayConnectionOptions(proxy: proxy.map { SOCKSProxy(host: $0.host, port: $0.port) })
    }
}

/// `HOST:PORT`, or `[ADDRESS]:PORT`.
struct ProxyAddress: ExpressibleByArgument, Equatable, Codable {
    let host: String
    let port: UInt16

    init?(argument: String) {
        let text = argument.hasPrefix("socks5://") ? String(argument.dropFirst(9)) : argument
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
