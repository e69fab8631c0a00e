package import ValiseTLS
package import ValiseXFTPWire

/// Who a relay is, where it listens, and what it allows. What it stores is the store's matter.
package struct RelayConfiguration: Sendable {
    /// What the printed address names. At least one.
    package var hosts: [XFTPAddress.Host]
    /// The address of this machine to listen on, as numbers: `0.0.0.0` and `::` are all.
    package var listen: String
    /// 0 for any free one.
    package var port: UInt16
    /// The relay's certificates with its key: its own, then the identity's.
    package var identity: TLSIdentity
    /// The certificates that browsers know. With them the relay serves web pages of any origin.
    package var webIdentity: TLSIdentity?
    /// What clients need to register chunks; nil for nothing.
    package var password: RelayPassword?
    /// Whether chunks may be registered at all.
    package var acceptsNewFiles: Bool
    /// How often chunks that are too old are looked for.
    package var expiryInterval: Duration
    package var limits: RelayLimits
    /// Where proxies connect from that say for whom, by the PROXY protocol. Nil where clients connect directly; else nobody but
    /// these is let in.
    package var proxies: AddressRanges?
    /// Whether the log has addresses of clients, at the level `debug`.
    package var logsAddresses = false
    /// Lets a relay that drains wait.
    var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    package init(
        hosts: [XFTPAddress.Host], listen: String, port: UInt16 = XFTPAddress.defaultPort,
        identity: TLSIdentity, webIdentity: TLSIdentity? = nil, password: RelayPassword? = nil,
        acceptsNewFiles: Bool = true, expiryInterval: Duration = .seconds(7200), limits: RelayLimits = .init()
    ) {
        self.hosts = hosts
        self.listen = listen
        self.port = port
        self.identity = identity
        self.webIdentity = webIdentity
        self.password = password
        self.acceptsNewFiles = acceptsNewFiles
        self.expiryInterval = expiryInterval
        self.limits = limits
    }
}
