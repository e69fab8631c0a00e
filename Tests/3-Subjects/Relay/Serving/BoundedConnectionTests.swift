import Testing

@testable import ValiseRelay

/// What a connection may keep of requests that are over, and how long.
@Suite(.enabled(if: PythonClient.isThere), .serialized)
struct BoundedConnectionTests {
    private static func play(
        _ scenario: String, _ arguments: [String] = [], _ options: RunningRelay.Options,
        _ steps: (RunningRelay, PythonClient.Run) async throws -> Void
    ) async throws {
        try await RunningRelay.with(options) { relay in
            let client = try PythonClient.begin(scenario, arguments, with: relay)
            do {
                try await steps(relay, client)
            } catch {
                relay.clockOffset.proceed()
                Issue.record("\(error): \(await client.wait().output)")
                return
            }
            relay.clockOffset.proceed()
            let (status, output) = await client.wait()
            #expect(status == 0, "\(output.suffix(2000))")
            try await eventually { relay.openBodies ?? 0 == 0 }
        }
    }

    private struct Unexpected: Error { let line: String }

    private static func expect(_ expected: String, from client: PythonClient.Run) async throws {
        let line = await client.readLine()
        if line != expected { throw Unexpected(line: line) }
    }

    /// Stops the relay's one thread at the registration that the client sends next.
    private static func stopThread(_ relay: RunningRelay, _ client: PythonClient.Run) async throws {
        relay.clockOffset.hold()
        try client.answer("")
        try await expect("busy", from: client)
        try await eventually { relay.clockOffset.waiting == 1 }
        try client.answer("")
    }

    private static var oneOfEach: RunningRelay.Options {
        var options = RunningRelay.Options()
        options.limits.transfersPerConnection = 1
        options.limits.threads = 1
        return options
    }

    @Test func `requests that are given up before their turn leave nothing`() async throws {
        try await Self.play("given_up", ["150"], Self.oneOfEach) { relay, client in
            func queued() async throws -> Int {
                try await relay.eachConnection {
                    $0.waiting.count + $0.waitingDownloads.count + $0.lackingBuffers.count
                }.max() ?? 0
            }
            try await Self.expect("downloads", from: client)
            #expect(try await queued() == 0)
            try await Self.stopThread(relay, client)
            try await Self.expect("commands", from: client)
            #expect(try await queued() == 0)
            relay.clockOffset.proceed()
            try client.answer("")
        }
    }

    @Test func `a transfer that is given up counts until its file is closed`() async throws {
        try await Self.play("slots", [], Self.oneOfEach) { relay, client in
            try await Self.expect("storing", from: client)
            try await eventually { relay.openBodies ?? 1 == 1 }
            try await Self.stopThread(relay, client)
            try await Self.expect("refused", from: client)
            if let open = relay.openBodies { #expect(open == 1) }
            relay.clockOffset.proceed()
            try await eventually { try relay.openBodies ?? 0 == 0 && relay.store.usage.reservedSpace == 0 }
            try client.answer("")
            try await Self.expect("sending", from: client)
            try await Self.stopThread(relay, client)
            try await Self.expect("waiting", from: client)
            var waiting = 0
            for _ in 0..<100 where waiting == 0 {
                try await Task.sleep(for: .milliseconds(20))
                waiting = try await relay.eachConnection { $0.waitingDownloads.count }.reduce(0, +)
            }
            #expect(waiting == 1)
            if let open = relay.openBodies { #expect(open == 1) }
            relay.clockOffset.proceed()
            try client.answer("")
        }
    }

    @Test func `streams are refused no faster than the official client bears`() async throws {
        let count = HostileClientTests.isLong ? 40 : 20
        var options = Self.oneOfEach
        options.limits.stopTime = .seconds(600)
        try await Self.play("refusals", ["\(count)"], options) { relay, client in
            try await Self.expect("refusing", from: client)
            let held = try await relay.eachConnection { connection in
                (connection.transfers, connection.streams.count, connection.untoldEnds.isEmpty)
            }
            #expect(held.map(\.0) == [1] && held.map(\.1) == [1] && held.map(\.2) == [false])
            try client.answer("")
            try await Self.expect("stopping", from: client)
            let server = relay.server
            async let stopped: Void = server.stop()
            try client.answer("")
            let start = ContinuousClock.now
            await stopped
            #expect(ContinuousClock.now - start < .seconds(300))
        }
    }

    @Test func `a body in padding keeps no more memory than its bytes`() async throws {
        try await Self.play("padding", ["3000", "2"], Self.oneOfEach) { relay, client in
            try await Self.expect("ready", from: client)
            try await Self.stopThread(relay, client)
            let sent = await client.readLine()
            guard let count = Int(sent) else { throw Unexpected(line: sent) }
            let bodies = try await relay.eachConnection { connection in
                connection.streams.values.map { ($0.body.count, $0.body.keptBytes) }
            }.joined()
            #expect(bodies.contains { $0.0 == count })
            for body in bodies { #expect(body.1 <= 4 * body.0 + (64 << 10)) }
            #expect(relay.server.counters.misbehaved == 0)
            relay.clockOffset.proceed()
            try client.answer("")
        }
    }

    @Test func `a log that is made longer without end is compacted, housekeeping or not`() async throws {
        var options = RunningRelay.Options()
        options.mostLogGrowth = 1 << 20
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("churn", "120", with: relay)
            let log = try #require((relay.store.records as? EmbeddedRecords)?.log)
            #expect(log.extent.size < 5 << 19)
        }
    }

    @Test func `who gives up many downloads may go on`() async throws {
        try await RunningRelay.with { relay in
            try await PythonClient.play("changes_of_mind", "60", with: relay)
            #expect(relay.server.counters.misbehaved == 0)
        }
    }

    @Test func `a slow line that moves what it has to is kept`() async throws {
        var options = RunningRelay.Options()
        options.limits.progressTime = .seconds(2)
        options.limits.progressBytes = 4000
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("steady", "3000", "6", with: relay)
            #expect(relay.server.counters.misbehaved == 0)
        }
    }
}
