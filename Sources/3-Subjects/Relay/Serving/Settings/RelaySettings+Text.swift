import SystemPackage
import ValiseEncoding
import ValiseXFTPWire

extension RelaySettings {
    /// The settings file, in the format of the official relay.
    package var text: String {
        """
        # Settings of an XFTP relay. Sections and keys are those of the official relay, plus the sections [LIMITS] and
        # [OBJECTS], 'db_password_file', 'bodies', 'most_names', and in [TRANSPORT] 'listen' and all keys below it.
        # 'valise-relay start' rejects unknown keys.

        [STORE_LOG]
        # Keep chunks across restarts.
        enable = \(Self.word(keepsLog))
        # Where to keep records of chunks: memory, with a store log, or database, for several processes that are one relay.
        # Move them with 'valise-relay migrate' before you change this.
        store_files = \(store.records == .postgres ? "database" : "memory")
        # The connection string of PostgreSQL, without a password.
        \(Self.line("db_connection", database?.address, example: "postgresql://relay@db.example.org/relay"))
        \(Self.line("db_schema", database?.schema, example: Database.usualSchema))
        \(Self.line("db_password_file", database?.passwordFile?.string, example: "/etc/valise-relay/database"))
        # Maximum number of connections of this process to the database.
        \(Self.line("db_pool_size", database.map { String($0.connections) }, example: "10"))
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
        # Folder of ca.crt, server.crt, server.key and fingerprint, for several processes that are one relay.
        \(Self.line("identity", identity?.string, example: "/etc/valise-relay/identity"))
        # Maximum number of connections. Beyond it, a connection without a request is closed for a new one.
        connections = \(connections)
        # Maximum number of connections per address, or per IPv6 /64 network. This machine's own addresses, from which
        # a proxy or Tor serves many clients, may each use all connections but this number.
        connections_per_address = \(connectionsPerAddress)
        \(serving.transportText)

        \(serving.limitsText)

        [FILES]
        path = \(files.string)
        # Where to keep chunks: folder, the one above, or s3, the bucket below.
        bodies = \(store.bodies.rawValue)
        # Without a quota, only the disk is the limit. As in the official relay, kb, mb and gb right behind a number are
        # powers of 1024. '100 GB' with a space and '93 GiB' mean the same here as in options, but the official relay
        # does not read them.\(quota.map { "\n# \(SizeText.encode($0)) is \(Count.bytes($0))." } ?? "")
        \(Self.line("storage_quota", quota.map(SizeText.encode), example: "100gb"))
        # Maximum number of chunk and recipient IDs. Each takes up to 130 bytes of memory.
        most_names = \(mostNames)

        [OBJECTS]
        # A bucket of S3, or of a server that speaks its protocol, for nothing else.
        \(Self.line("endpoint", objects?.endpoint, example: "https://s3.example.org"))
        \(Self.line("bucket", objects?.bucket, example: "chunks"))
        \(Self.line("prefix", objects.map(\.prefix), example: "relay"))
        \(Self.line("region", objects?.region, example: Objects.usualRegion))
        # Whether the bucket is in the path (on) or in the host name (off).
        \(Self.line("path_style", objects.map { Self.word($0.isPathStyle) }, example: "on"))
        \(Self.line("access_key", objects?.accessKey, example: "AKIAEXAMPLE"))
        # This file's first line is the secret key.
        \(Self.line("secret_key_file", objects?.secretKeyFile.string, example: "/etc/valise-relay/s3"))
        # Certificates to trust instead of the system's, in PEM.
        \(Self.line("authorities", objects?.authorities?.string, example: "/etc/valise-relay/authorities.pem"))
        # Ask the server to remove what is older, as a second net. Longer than 'expire_files_hours'.
        \(Self.line("expire_days", objects?.expiryDays.map(String.init), example: "7"))

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

    static let objectsSection = "OBJECTS"

    static func word(_ value: Bool) -> String { value ? "on" : "off" }

    static func line(_ key: String, _ value: String?, example: String) -> String {
        value.map { "\(key) = \($0)" } ?? "# \(key) = \(example)"
    }
}
