import SystemPackage
import ValiseEncoding
import ValiseXFTPWire

extension RelaySettings {
    /// The settings file, in the format of the official relay.
    package var text: String {
        """
        # Settings of an XFTP relay. Sections and keys are those of the official relay, plus 'listen',
        # 'connections', 'connections_per_address' and 'most_names'.
        # 'valise-relay start' rejects unknown keys.

        [STORE_LOG]
        # Keep chunks across restarts.
        enable = \(Self.word(keepsLog))
        # How long to keep chunks, in hours.
        expire_files_hours = \(lifetime)
        # Write a line of counters each day.
        log_stats = \(Self.word(logsStatistics))
        # How often to write counters for Prometheus, in seconds.
        \(Self.line("prometheus_interval", prometheusInterval.map(String.init), example: "60"))

        [AUTH]
        # Accept new files.
        new_files = \(Self.word(acceptsNewFiles))
        # Password that clients need to send files.
        \(Self.line("create_password", password?.text, example: "a password without any of @ : / and spaces"))

        [TRANSPORT]
        # Hosts in the relay's address, separated by commas.
        host = \(hosts.map(\.text).joined(separator: ","))
        port = \(port)
        # Local address to listen on.
        listen = \(listen)
        # Maximum number of connections. Beyond it, a connection without a request is closed for a new one.
        connections = \(connections)
        # Maximum number of connections per address, or per IPv6 /64 network. This machine's own addresses, from which
        # a proxy or Tor serves many clients, may each use all connections but this number.
        connections_per_address = \(connectionsPerAddress)

        [FILES]
        path = \(files.string)
        # Without a quota, only the disk is the limit. As in the official relay, kb, mb and gb right behind a number are
        # powers of 1024. '100 GB' with a space and '93 GiB' mean the same here as in options, but the official relay
        # does not read them.\(quota.map { "\n# \(SizeText.encode($0)) is \(Count.bytes($0))." } ?? "")
        \(Self.line("storage_quota", quota.map(SizeText.encode), example: "100gb"))
        # Maximum number of chunk and recipient IDs. Each takes up to 130 bytes of memory.
        most_names = \(mostNames)

        [INACTIVE_CLIENTS]
        # Close connections after 'ttl' seconds without a request.
        disconnect = \(Self.word(idleTime != nil))
        \(Self.line("ttl", idleTime.map(String.init), example: "600"))

        [WEB]
        # Certificate that browsers trust, for web pages that send and receive files.
        \(Self.line("cert", web?.certificate.string, example: "/etc/letsencrypt/live/example.org/fullchain.pem"))
        \(Self.line("key", web?.key.string, example: "/etc/letsencrypt/live/example.org/privkey.pem"))

        """
    }

    private static func word(_ value: Bool) -> String { value ? "on" : "off" }

    private static func line(_ key: String, _ value: String?, example: String) -> String {
        value.map { "\(key) = \($0)" } ?? "# \(key) = \(example)"
    }
}
