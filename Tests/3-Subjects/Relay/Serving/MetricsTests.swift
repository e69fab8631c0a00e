import CoreMetrics
import FaultInjection
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import ValiseEncoding
import ValiseFiles
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// What programs that watch a relay get.
@Suite(.timeLimit(.minutes(2)))
struct MetricsTests {
    // MARK: A client

    private struct Answer {
        let status: Int
        let headers: [String: String]
        let body: String
    }

    /// All that a connection gets for what it sends, until it is closed.
    private static func exchange(_ port: UInt16, _ text: String) async throws -> String {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let received = Mutex("")
        let channel = try await ClientBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    Reading { piece in received.withLock { $0 += piece } })
            }
        }.connect(host: "127.0.0.1", port: Int(port)).get()
        try? await channel.writeAndFlush(ByteBuffer(string: text))
        try await channel.closeFuture.get()
        return received.withLock { $0 }
    }

    private static func get(_ path: String, _ port: UInt16?, method: String = "GET") async throws -> Answer {
        let port = try #require(port)
        let text = try await exchange(port, "\(method) \(path) HTTP/1.1\r\nhost: relay\r\n\r\n")
        let parts = try #require(text.range(of: "\r\n\r\n"))
        let lines = text[..<parts.lowerBound].components(separatedBy: "\r\n")
        let status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (
                line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            )
        }
        return Answer(
            status: status, headers: Dictionary(headers) { $1 }, body: String(text[parts.upperBound...]))
    }

    private static func withWatched(
        _ change: (inout RelaySettings) -> Void = { _ in },
        _ body: @escaping @Sendable (FolderRelay, RelayFolder) async throws -> Void
    ) async throws {
        try await FolderRelayTests.withRelay(
            Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            {
                $0.serving.metricsPort = 0
                change(&$0)
            }, body)
    }

    // MARK: A relay

    @Test func `a relay tells what it did, and of whom nothing`() async throws {
        try await Self.withWatched { relay, _ in
            let chunk = try await withConnection(to: relay.address) { connection in
                let chunk = try await TestChunk.stored(on: connection, recipients: 2)
                let isBack = try await chunk.comesBack(connection)
                #expect(isBack)
                _ = await failure {
                    try await connection.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[1])
                }
                return chunk
            }
            let answer = try await Self.get("/metrics", relay.metricsPort)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.headers["content-length"] == "\(answer.body.utf8.count)")
            let values = try ExpositionText(answer.body).values
            let expected: [(String, Double)] = [
                ("valise_relay_command_seconds_count{command=\"FNEW\"}", 1.0),
                ("valise_relay_command_seconds_count{command=\"FPUT\"}", 1),
                ("valise_relay_command_seconds_count{command=\"FGET\"}", 1),
                ("valise_relay_command_seconds_count{command=\"FDEL\"}", 0),
                ("valise_relay_command_seconds_bucket{command=\"FNEW\",le=\"+Inf\"}", 1),
                ("valise_relay_refusals_total{error=\"AUTH\"}", 1),
                ("valise_relay_connections_accepted_total", 1), ("valise_relay_received_bytes_total", 65_536),
                ("valise_relay_sent_bytes_total", 65_536), ("valise_relay_transfers", 0),
                ("valise_relay_store_up", 1), ("valise_relay_chunks", 1), ("valise_relay_recipients", 2),
                ("valise_relay_chunks_uploaded", 1), ("valise_relay_stored_bytes", 65_536),
                ("valise_relay_reserved_bytes", 0), ("valise_relay_quota_bytes", 1_048_576),
                ("valise_relay_draining", 0), ("valise_relay_info{version=\"1.2\"}", 1),
            ]
            for (series, value) in expected { #expect(values[series] == value, "\(series)") }
            let end = try #require(values["valise_relay_certificate_expiry_seconds"])
            #expect(end > Double(time(nil)))
            for secret in ["127.0.0.1", Base64URL.encode(chunk.recipients[0].bytes).filter { $0 != "=" }] {
                #expect(!answer.body.contains(secret))
            }
            #expect(relay.metrics != nil)
        }
    }

    @Test func `a relay is ready while it can work, and lives on while it drains`() async throws {
        let port = Mutex<UInt16?>(nil)
        try await Self.withWatched {
            $0.serving.drainDelay = 4
        } _: { relay, _ in
            port.withLock { $0 = relay.metricsPort }
            for path in ["/ready", "/health", "/ready?x=1"] {
                #expect(try await Self.get(path, relay.metricsPort).status == 200)
            }
            let head = try await Self.get("/metrics", relay.metricsPort, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(try await Self.get("/", relay.metricsPort).status == 404)
            #expect(try await Self.get("/ready", relay.metricsPort, method: "POST").status == 405)
            async let stopped: Void = relay.stop()
            var ready = try await Self.get("/ready", relay.metricsPort)
            while ready.status == 200 { ready = try await Self.get("/ready", relay.metricsPort) }
            #expect(ready.status == 503 && ready.body == "draining\n")
            #expect(try await Self.get("/health", relay.metricsPort).status == 200)
            await stopped
        }
        let gone = try #require(port.withLock { $0 })
        await #expect(throws: (any Error).self, "it is closed with the relay") {
            try await Self.get("/health", gone)
        }
    }

    @Test func `nothing is served where the settings do not ask for it`() async throws {
        try await FolderRelayTests.withRelay { relay, _ in
            #expect(relay.metricsPort == nil && relay.metrics == nil)
        }
    }

    private static func obstacle(_ health: RelayHealth) async throws -> String? {
        try await health.obstacle(on: MultiThreadedEventLoopGroup.singleton.next()).get()
    }

    @Test func `who asks whether it is ready hears of the store, also of one that does not answer`()
        async throws
    {
        let health = RelayHealth(patience: .milliseconds(300))
        #expect(try await Self.obstacle(health) == "starting")
        let folder = try TemporaryFolder("valise-relay", inMemory: true)
        let reach = StorageInReach()
        try FileSystem().makeDirectories(folder.appending("files"))
        let settings = ChunkStoreSettings(folder: folder.appending("files"), log: nil)
        let bytes = ChunkFolder(settings.folder)
        let records = try EmbeddedRecords(settings, bytes, locks: [])
        let store = ChunkStore(
            RecordsInReach(records: records, reach: reach), BytesInReach(bytes: bytes, reach: reach),
            settings.rules)
        health.serve(from: store)
        #expect(try await Self.obstacle(health) == nil)
        reach.current.records = false
        #expect(try await Self.obstacle(health) == nil, "it is not asked each time")
        try await Task.sleep(for: .milliseconds(1100))
        #expect(try await Self.obstacle(health) == "the store cannot be reached")
        reach.current = .init()
        try await Task.sleep(for: .milliseconds(1100))
        #expect(try await Self.obstacle(health) == nil)
        health.drain()
        #expect(try await Self.obstacle(health) == "draining")
        try store.close()
    }

    @Test func `who sends no request, or one without end, or many, is not served for ever`() async throws {
        try await Self.withWatched { relay, _ in
            let port = try #require(relay.metricsPort)
            for text in ["nonsense\r\n\r\n", "GET /\(String(repeating: "x", count: 200_000)) HTTP/1.1\r\n"] {
                let answer = try await Self.exchange(port, text)
                #expect(!answer.contains("200 OK"))
            }
            // More than are taken at once, all of them silent: the next ones are closed.
            var silent: [any Channel] = []
            for _ in 0..<40 {
                silent.append(
                    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                        .connect(host: "127.0.0.1", port: Int(port)).get())
            }
            try await eventually { silent.count { !$0.isActive } == 24 }
            for channel in silent { try? await channel.close() }
            try await eventually { silent.allSatisfy { !$0.isActive } }
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await Self.get("/health", port).status == 200)
        }
    }

    // MARK: The format

    @Test func `metrics of any library are in the text, with names and labels that the format allows`() throws
    {
        let prometheus = PrometheusMetrics()
        prometheus.describe("requests_total", "Requests")
        let label = [("who", "a\"b\\c\nd"), ("0-x", "é")]
        Counter(label: "requests_total", dimensions: label, factory: prometheus).increment(by: 2)
        // The same series, however often it is made.
        Counter(label: "requests_total", dimensions: label, factory: prometheus).increment()
        CoreMetrics.Gauge(label: "0.temperature-now", factory: prometheus).record(-1.5)
        let timer = CoreMetrics.Timer(label: "time", factory: prometheus)
        for milliseconds in [1, 2, 700, 10_000_000] { timer.recordMilliseconds(milliseconds) }
        // Another kind of the same name is not shown.
        CoreMetrics.Gauge(label: "requests_total", factory: prometheus).record(7)
        let values = try ExpositionText(prometheus.text).values
        #expect(values["requests_total{who=\"a\\\"b\\\\c\\nd\",_0_x=\"é\"}"] == 3)
        #expect(values["_0_temperature_now"] == -1.5)
        #expect(values["time_count"] == 4 && values["time_bucket{le=\"0.001\"}"] == 1)
        #expect(values["time_bucket{le=\"0.0025\"}"] == 2 && values["time_bucket{le=\"1\"}"] == 3)
        #expect(values["time_bucket{le=\"+Inf\"}"] == 4)
        #expect(abs(try #require(values["time_sum"]) - 10_000.703) < 1e-6)
        #expect(prometheus.text.contains("# HELP requests_total Requests\n# TYPE requests_total counter\n"))
    }

    @Test func `labels without end fill no memory`() throws {
        let prometheus = PrometheusMetrics()
        for number in 0..<5000 {
            Counter(label: "many", dimensions: [("number", "\(number)")], factory: prometheus).increment()
        }
        #expect(try ExpositionText(prometheus.text).values.count == PrometheusMetrics.mostSeries)
    }
}

private final class Reading: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let body: @Sendable (String) -> Void

    init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        body(String(buffer: unwrapInboundIn(data)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The text format of Prometheus, read as strictly as its description asks (version 0.0.4).
private struct ExpositionText {
    private struct Fault: Error {
        let line: String
        let reason: String
    }

    /// By their names with their labels.
    private(set) var values: [String: Double] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(line: "", reason: "the last line has no end") }
        var kinds: [String: String] = [:]
        var family = ""
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            let line = String(line)
            func check(_ condition: Bool, _ reason: String) throws {
                if !condition { throw Fault(line: line, reason: reason) }
            }
            if let match = line.wholeMatch(of: #/# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/#) {
                family = String(match.1)
                try check(kinds[family] == nil, "a metric comes twice")
            } else if let match = line.wholeMatch(
                of: #/# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/#)
            {
                try check(match.1 == family && kinds[family] == nil, "its help does not come before")
                kinds[family] = String(match.2)
            } else {
                let sample =
                    #/([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)/#
                guard let match = line.wholeMatch(of: sample) else {
                    throw Fault(line: line, reason: "no sample")
                }
                let name = String(match.1)
                let kind = try #require(kinds[family], "\(line)")
                let endings = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                try check(endings.contains { name == family + $0 }, "of another metric")
                let number = String(match.3)
                guard let value = Double(number.replacingOccurrences(of: "Inf", with: "inf")) else {
                    throw Fault(line: line, reason: "no number")
                }
                let series = name + String(match.2 ?? "")
                try check(values[series] == nil, "comes twice")
                values[series] = value
            }
        }
    }
}
