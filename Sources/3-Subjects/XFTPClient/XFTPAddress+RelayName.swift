package import ValiseXFTPWire

extension XFTPAddress {
    /// The relay in messages: its first host and a port that is not the usual one.
    package var relayName: String {
        guard let port, port != Self.defaultPort else { return hosts[0].text }
        return "\(hosts[0].bracketedText):\(port)"
    }
}
