import SystemPackage
import ValiseXFTPWire

extension RelaySettings {
    /// The file, as the official relay has it too.
    package var text: String {
        """
        # A relay of encrypted files. Sections and keys are those of the official relay, but for 'listen',
        # 'connections', 'connections_per_address' and 'most_names'.
        # 'valise-relay start' refuses what it does not know.

        [STORE_LOG]
        # Whether chunks survive a restart.
        enable = \(Self.word(keepsLog))
        # How long chunks are kept.
        expire_files_hours = \(lifetime)
        # Whether each day gets a line of counters.
        log_stats = \(Self.word(logsStatistics))
        # How often counters are written for Prometheus, in seconds.
        \(Self.line("prometheus_interval", prometheusInterval.map(String.init), example: "60"))

        [AUTH]
        # Whether new files are taken.
        new_files = \(Self.word(acceptsNewFiles))
        # What clients need to send files.
        \(Self.line("create_password", password?.text, example: "a password without any of @ : / and spaces"))

        [TRANSPORT]
        # What the printed address names; several with commas.
        host = \(hosts.map(\.text).joined(separator: ","))
        port = \(port)
        # The address of this machine to listen on.
        listen = \(listen)
        # The most connections at once; one without a request makes room for the next.
        connections = \(connections)
        # The most of one address, or of one IPv6 network of 64 bits. This machine's own addresses, under which a proxy
        # or Tor brings many clients, may each have all but so many.
        connections_per_address = \(connectionsPerAddress)

        [FILES]
        path = \(files.string)
        # Without it only the disk is the limit.
        \(Self.line("storage_quota", quota.map(SizeText.encode), example: "100gb"))
        # The most names of chunks and recipients at a time; each takes up to 130 bytes of memory.
        most_names = \(mostNames)

        [INACTIVE_CLIENTS]
        # Whether connections are closed, after so many seconds without a request.
        disconnect = \(Self.word(idleTime != nil))
        \(Self.line("ttl", idleTime.map(String.init), example: "600"))

        [WEB]
        # Certificates that browsers know, for pages that send and receive files.
        \(Self.line("cert", web?.certificate.string, example: "/etc/letsencrypt/live/example.org/fullchain.pem"))
        \(Self.line("key", web?.key.string, example: "/etc/letsencrypt/live/example.org/privkey.pem"))

        """
    }

    private static func word(_ value: Bool) -> String { value ? "on" : "off" }

    private static func line(_ key: String, _ value: String?, example: String) -> String {
        value.map { "\(key) = \($0)" } ?? "# \(key) = \(example)"
    }
}
