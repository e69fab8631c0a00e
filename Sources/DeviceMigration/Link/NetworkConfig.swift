/// How an app reaches relays: what of it goes to another machine.
///
/// `Encodable` has the known members; ``MigrationFileLinkData/json`` has all.
public struct NetworkConfig: Sendable, Equatable, Encodable {
    /// Which of a relay's addresses is used. The raw values are those of the official apps.
    public enum HostMode: String, Sendable, Codable, CaseIterable {
        /// The onion address, where there is a SOCKS proxy.
        case onionViaSocks
        /// The onion address only.
        case onionHost
        /// The public address.
        case publicHost
    }

    /// `host:port` of a SOCKS proxy, or `:port` on this machine; nil for none.
    public var socksProxy: String?
    /// The proxy in parts, as newer apps have it; nil for none.
    public var networkProxy: NetworkProxy?
    public var hostMode: HostMode
    /// Whether a relay without an address of this mode is not used at all.
    public var requiredHostMode: Bool

    public init(
        socksProxy: String? = nil, networkProxy: NetworkProxy? = nil, hostMode: HostMode = .onionViaSocks,
        requiredHostMode: Bool = false
    ) {
        self.socksProxy = socksProxy
        self.networkProxy = networkProxy
        self.hostMode = hostMode
        self.requiredHostMode = requiredHostMode
    }
}

/// A SOCKS proxy in parts. Whoever has the link has these too.
public struct NetworkProxy: Sendable, Equatable, Encodable {
    public var host: String?
    public var port: Int?
    public var username: String?
    public var password: String?
    /// Such as `isolate`; kept as it is.
    public var auth: String?

    public init(
        host: String? = nil, port: Int? = nil, username: String? = nil, password: String? = nil,
        auth: String? = nil
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.auth = auth
    }
}
