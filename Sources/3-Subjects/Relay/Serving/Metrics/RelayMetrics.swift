import CoreMetrics
import ValiseXFTPWire

/// What a relay counts and times for whoever watches it, beside its ``RelayCounters``. No label is of a client or of a chunk.
final class RelayMetrics: Sendable {
    private static let prefix = "valise_relay_"

    private let factory: any MetricsFactory
    private let commands: [String: Timer]
    private let pausedUploads: Counter
    private let pausedDownloads: Counter

    /// - Parameter prometheus: nil where nobody watches.
    init(_ prometheus: PrometheusMetrics? = nil) {
        let factory: any MetricsFactory = prometheus ?? NOOPMetricsHandler.instance
        self.factory = factory
        for (name, help) in [
            ("command_seconds", "Time until a command is answered, without the transfer of its chunk"),
            ("refusals_total", "Commands answered by an error, by error"),
            ("failures_total", "Failures of the store that clients only get a word about, by kind"),
            ("pauses_total", "Pauses of transfers because of a limit on bytes"),
        ] { prometheus?.describe(Self.prefix + name, help) }
        let timers = XFTPCommand.names.map { name in
            (
                name,
                Timer(
                    label: Self.prefix + "command_seconds", dimensions: [("command", name)], factory: factory)
            )
        }
        commands = Dictionary(timers) { first, _ in first }
        pausedUploads = Counter(
            label: Self.prefix + "pauses_total", dimensions: [("direction", "upload")], factory: factory)
        pausedDownloads = Counter(
            label: Self.prefix + "pauses_total", dimensions: [("direction", "download")], factory: factory)
    }

    func note(_ command: XFTPCommand, took time: Duration) {
        let (seconds, attoseconds) = time.components
        commands[command.name]?.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Only its first word is of a set that is known.
    func note(_ refusal: XFTPErrorCode) {
        count("refusals_total", "error", String(refusal.text.prefix { $0 != " " }))
    }

    /// - Parameter kind: of a set that is known.
    func noteFailure(_ kind: String) { count("failures_total", "kind", kind) }

    func notePause(_ direction: TrafficAllowance.Direction) {
        switch direction {
        case .upload: pausedUploads.increment()
        case .download: pausedDownloads.increment()
        }
    }

    private func count(_ name: String, _ label: String, _ value: String) {
        Counter(label: Self.prefix + name, dimensions: [(label, value)], factory: factory).increment()
    }
}

extension RelayServer {
    /// Writes what is counted anyway.
    func write(to text: inout MetricText) {
        let counters = counters
        for (name, help, value) in [
            ("connections_accepted_total", "Connections accepted", Int64(counters.accepted)),
            (
                "connections_rejected_total", "Connections closed because there were too many",
                Int64(counters.turnedAway)
            ),
            (
                "handshake_failures_total", "TLS handshakes that failed or took too long",
                Int64(counters.failedHandshakes)
            ),
            (
                "connections_misbehaved_total", "Connections closed because of floods, faults or slowness",
                Int64(counters.misbehaved)
            ),
            ("received_bytes_total", "Bytes of uploads", counters.received),
            ("sent_bytes_total", "Bytes of downloads", counters.sent),
        ] { text.add("valise_relay_\(name)", .counter, help, Double(value)) }
        for (name, help, value) in [
            ("connections", "Open connections", Double(counters.connections)),
            ("connections_max", "Most connections", Double(limits.connections)),
            ("transfers", "Uploads and downloads under way", Double(transfers)),
            ("transfers_max", "Most uploads and downloads at once", Double(limits.transfers)),
            ("draining", "1 while the relay stops", isDraining ? 1 : 0),
        ] { text.add("valise_relay_\(name)", .gauge, help, value) }
        if let end = certificateEnd {
            text.add(
                "valise_relay_certificate_expiry_seconds", .gauge,
                "When the first certificate expires, in seconds since 1970", Double(end))
        }
    }
}

extension StoreUsage {
    func write(to text: inout MetricText) {
        for (name, help, value) in [
            ("chunks", "Announced chunks", Double(chunks)),
            ("chunks_uploaded", "Stored chunks", Double(uploaded)),
            ("recipients", "Recipient IDs", Double(recipients)),
            ("stored_bytes", "Bytes of stored chunks", Double(usedSpace)),
            ("reserved_bytes", "Bytes reserved for uploads under way", Double(reservedSpace)),
        ] { text.add("valise_relay_\(name)", .gauge, help, value) }
        if let quota { text.add("valise_relay_quota_bytes", .gauge, "Most bytes of chunks", Double(quota)) }
    }
}
