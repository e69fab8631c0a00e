import ValiseEncoding
import ValiseFailures
import ValiseXFTPWire

/// How a relay serves: keys of our own, all of which the official relay passes over.
package struct ServingSettings: Sendable, Equatable {
    /// Threads that wait for a disk, a database or a storage server; nil for ``RelayLimits/usualThreads``.
    package var threads: Int?
    /// How long a relay that stops goes on to take connections and to serve downloads, in seconds, so that a balancer notices.
    package var drainDelay = 0
    /// How long transfers may go on after that, in seconds.
    package var stopTime = 30
    /// Whether the log has addresses of clients, at the level `debug`.
    package var logsAddresses = false
    /// Where proxies connect from that say for whom; nil where clients connect directly.
    package var proxies: AddressRanges?
    /// Where metrics and health are served; nil for nowhere. 0 for any free port.
    package var metricsPort: Int?
    /// The address of this machine that they are served on, as numbers.
    package var metricsListen = Self.usualMetricsListen
    /// What all clients together may take.
    package var rates = TrafficRates()
    /// What one address may take, for IPv6 one network of 64 bits.
    package var ratesPerAddress = TrafficRates()

    private static let usualMetricsListen = "127.0.0.1"
    private var takesProxyHeaders = false
    private var proxyAddresses: AddressRanges?

    package init() {}

    /// - Returns: false for a key that is not of these.
    mutating func read(_ key: String, _ value: String) throws(SettingsFault) -> Bool {
        switch key {
        case "threads": threads = try SettingsValue.number(value, 1...1024)
        case "drain_delay": drainDelay = try SettingsValue.number(value, 0...3600)
        case "stop_time": stopTime = try SettingsValue.number(value, 0...3600)
        case "log_addresses": logsAddresses = try SettingsValue.isOn(value)
        case "proxy_protocol": takesProxyHeaders = try SettingsValue.isOn(value)
        case "proxy_addresses":
            guard let ranges = AddressRanges(value) else {
                throw SettingsFault("'\(value)' is not a list of addresses such as 10.0.0.1, 10.1.0.0/16")
            }
            proxyAddresses = ranges
        case "metrics_port": metricsPort = try SettingsValue.number(value, 0...Int(UInt16.max))
        case "metrics_listen": metricsListen = value
        default: return false
        }
        return true
    }

    /// - Returns: false for a key that is not of these.
    mutating func readLimit(_ key: String, _ value: String) throws(SettingsFault) -> Bool {
        switch key {
        case "upload_rate": rates.upload = try Self.rate(value)
        case "download_rate": rates.download = try Self.rate(value)
        case "new_files_per_hour": rates.newFiles = try Self.files(value)
        case "upload_rate_per_address": ratesPerAddress.upload = try Self.rate(value)
        case "download_rate_per_address": ratesPerAddress.download = try Self.rate(value)
        case "new_files_per_hour_per_address": ratesPerAddress.newFiles = try Self.files(value)
        default: return false
        }
        return true
    }

    private static func rate(_ value: String) throws(SettingsFault) -> Int64 {
        let rate = try SettingsValue.size(value)
        guard rate >= TrafficRates.leastBytes else {
            throw SettingsFault("'\(value)' is too slow: at least 64kb a second are needed")
        }
        return rate
    }

    private static func files(_ value: String) throws(SettingsFault) -> Int {
        try SettingsValue.number(value, 1...1_000_000_000)
    }

    /// Once all keys are read.
    mutating func check() throws(XFTPRelayError) {
        guard takesProxyHeaders || proxyAddresses == nil else {
            throw XFTPRelayError(.invalid, "'proxy_addresses' in [TRANSPORT] needs 'proxy_protocol = on'")
        }
        proxies = takesProxyHeaders ? proxyAddresses ?? .loopback : nil
        (takesProxyHeaders, proxyAddresses) = (false, nil)
    }

    // MARK: Text

    /// Lines of the section `[TRANSPORT]`.
    var transportText: String {
        let proxyAddresses = proxies.flatMap { $0 == .loopback ? nil : $0.text }
        let metricsListen = metricsListen == Self.usualMetricsListen ? nil : metricsListen
        return """
            # Threads that wait for disks, databases and storage servers. The default is twice the number of cores, at
            # least 4.
            \(number("threads", threads, "16"))
            # On SIGTERM, refuse new files at once, but accept connections for this many seconds: a load balancer that checks
            # /ready then sends clients elsewhere.
            drain_delay = \(drainDelay)
            # After that, let running transfers finish for this many seconds.
            stop_time = \(stopTime)
            # Log client addresses at the level debug. Otherwise no log line contains an address.
            log_addresses = \(RelaySettings.word(logsAddresses))
            # Behind HAProxy or nginx: expect a PROXY protocol header, version 1 or 2, on each connection, from these
            # addresses. The default is this machine's own addresses. Connections from elsewhere, or without a header, are
            # closed.
            proxy_protocol = \(RelaySettings.word(proxies != nil))
            \(RelaySettings.line("proxy_addresses", proxyAddresses, example: "10.0.0.1, 10.1.0.0/16"))
            # Serve /metrics (Prometheus), /health and /ready over HTTP on this port.
            \(number("metrics_port", metricsPort, "9443"))
            \(RelaySettings.line("metrics_listen", metricsListen, example: Self.usualMetricsListen))
            """
    }

    /// The section `[LIMITS]`.
    var limitsText: String {
        """
        [LIMITS]
        # Bytes per second, such as 10mb, for all clients together and per address (or IPv6 /64 network). Transfers above the
        # limit are slowed down. This machine's own addresses have no limit per address.
        \(size("upload_rate", rates.upload, "100mb"))
        \(size("download_rate", rates.download, "100mb"))
        \(size("upload_rate_per_address", ratesPerAddress.upload, "10mb"))
        \(size("download_rate_per_address", ratesPerAddress.download, "10mb"))
        # New chunks per hour. Up to this many may come at once. Clients above the limit try again later.
        \(number("new_files_per_hour", rates.newFiles, "100000"))
        \(number("new_files_per_hour_per_address", ratesPerAddress.newFiles, "5000"))
        """
    }

    private func size(_ key: String, _ value: Int64?, _ example: String) -> String {
        RelaySettings.line(key, value.map(SizeText.encode), example: example)
    }

    private func number(_ key: String, _ value: Int?, _ example: String) -> String {
        RelaySettings.line(key, value.map(String.init), example: example)
    }
}
