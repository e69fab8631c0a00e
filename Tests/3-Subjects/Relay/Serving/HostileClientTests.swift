import Foundation
import Testing
import ValiseRelay

/// Clients that do harm, and what others notice of it: nothing.
@Suite(.enabled(if: PythonClient.isThere), .serialized)
struct HostileClientTests {
    static let isLong = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil

    @Test func `floods of frames end their connection`() async throws {
        try await RunningRelay.with { relay in
            try await PythonClient.play("floods", with: relay)
            #expect(relay.server.counters.misbehaved >= 13)
        }
    }

    @Test func `what is no HTTP or has too long headers ends its connection`() async throws {
        try await RunningRelay.with { relay in
            try await PythonClient.play("headers", with: relay)
        }
    }

    @Test func `who is too slow is given up, others go on`() async throws {
        var options = RunningRelay.Options()
        options.limits.tlsHandshakeTime = .seconds(1)
        options.limits.handshakeTime = .seconds(1)
        options.limits.requestTime = .seconds(1)
        options.limits.progressTime = .seconds(1)
        options.limits.idleTime = .seconds(3)
        options.limits.progressBytes = 1000
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("slow", with: relay)
            #expect(relay.server.counters.misbehaved == 2, "each connection that is dropped counts once")
            #expect(try relay.store.usage.reservedSpace == 0)
        }
    }

    @Test func `clients that go in the middle leave nothing`() async throws {
        try await RunningRelay.with { relay in
            try await PythonClient.play("aborts", with: relay)
            try await eventually { relay.server.counters.connections == 0 }
            #expect(try relay.store.usage.reservedSpace == 0)
            #expect(try relay.store.usage.usedSpace == 0)
        }
    }

    @Test func `idle connections keep nobody from working`() async throws {
        let count = Self.isLong ? 1000 : 200
        var options = RunningRelay.Options()
        options.limits.connections = count + 10
        options.limits.connectionsPerAddress = count + 10
        try await RunningRelay.with(options) { relay in
            let before = ProcessMemory.resident
            let client = try PythonClient.begin("idle", ["\(count)"], with: relay)
            #expect(await client.readLine() == "kept")
            #expect(relay.server.counters.connections == count + 1)
            let perConnection = (ProcessMemory.resident - before) / count
            print("\(perConnection) bytes for each of \(count) idle connections")
            #expect(perConnection < 192 << 10)
            try client.answer("")
            #expect(await client.wait().status == 0)
        }
    }

    @Test func `connections beyond the limit of an address are closed`() async throws {
        var options = RunningRelay.Options()
        options.limits.connectionsPerAddress = 5
        options.limits.exemptsLoopback = false
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("crowd", "5", with: relay)
            #expect(relay.server.counters.turnedAway >= 1)
        }
    }

    @Test func `addresses of IPv4 are told apart where IPv6 is listened on`() async throws {
        var options = RunningRelay.Options()
        options.listen = "::"
        options.limits.connectionsPerAddress = 5
        options.limits.exemptsLoopback = false
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("neighbours", "5", with: relay)
        }
    }

    @Test(arguments: ["connected", "tls", "xftp"])
    func `one host cannot take all places`(stage: String) async throws {
        try await Self.besiege(from: ["127.0.0.1"], stage)
    }

    @Test(arguments: ["connected", "tls", "xftp"])
    func `where all places are taken, what is idle makes room`(stage: String) async throws {
        try await Self.besiege(from: ["127.0.0.1", "127.0.0.4"], stage)
    }

    private static func besiege(from sources: [String], _ stage: String) async throws {
        var options = RunningRelay.Options()
        if !isLong {
            options.limits.connections = 100
            options.limits.connectionsPerAddress = 20
        }
        let count = options.limits.connections
        try await RunningRelay.with(options) { relay in
            let time = try await PythonClient.play(
                "siege", stage, sources.joined(separator: ","), "\(count)", with: relay)
            print("a newcomer waits \(time) at most, \(stage) from \(sources)")
            #expect(relay.server.counters.turnedAway > 0 && relay.server.counters.connections <= count)
        }
    }

    @Test func `what makes room is slow to arrive, else idle longest, never at work`() async throws {
        var options = RunningRelay.Options()
        options.limits.connections = 4
        options.limits.connectionsPerAddress = 4
        options.limits.openingPatience = .milliseconds(100)
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("order", with: relay)
            #expect(relay.server.counters.turnedAway == 4)
        }
    }

    @Test func `a proxy on this machine may bring many clients`() async throws {
        var options = RunningRelay.Options()
        options.limits.connectionsPerAddress = 1
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("several", "5", with: relay)
            #expect(relay.server.counters.turnedAway == 0)
        }
    }

    @Test func `a client that does not read is counted once`() async throws {
        var options = RunningRelay.Options()
        options.limits.progressTime = .seconds(1)
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("stuck", with: relay)
            try await eventually { relay.server.counters.connections == 0 }
            #expect(relay.server.counters.misbehaved == 1)
        }
    }

    @Test func `downloads beyond those at once wait, uploads are to be repeated`() async throws {
        var options = RunningRelay.Options()
        options.limits.transfersPerConnection = 2
        try await RunningRelay.with(options) { relay in
            let client = try PythonClient.begin("turns", ["2"], with: relay)
            #expect(await client.readLine() == "held")
            if let open = relay.openBodies { #expect(open == 2) }
            try client.answer("")
            let (status, output) = await client.wait()
            #expect(status == 0, "\(output)")
            #expect(try relay.store.usage.reservedSpace == 0)
        }
    }

    @Test func `what all have open is bounded, and nobody is kept from a transfer`() async throws {
        var options = RunningRelay.Options()
        // Half of them is for two of each connection.
        options.limits.transfers = 40
        try await RunningRelay.with(options) { relay in
            let client = try PythonClient.begin("hoarders", ["10"], with: relay)
            let line = await client.readLine()
            #expect(Double(line) != nil, "\(line)")
            if let open = relay.openBodies { #expect(open > 20 && open <= 40) }
            try client.answer("")
            #expect(await client.wait().status == 0)
            try await eventually { relay.openBodies ?? 0 == 0 }
        }
    }

    @Test func `what clients can make a relay hold is bounded`() async throws {
        let count = Self.isLong ? 100 : 20
        var options = RunningRelay.Options()
        options.limits.sharedBuffers = 4 << 20
        options.limits.uploadWindows = 4 << 20
        options.limits.connectionsPerAddress = count + 10
        try await RunningRelay.with(options) { relay in
            let before = ProcessMemory.resident
            let client = try PythonClient.begin("hoarders", ["\(count)"], with: relay)
            let line = await client.readLine()
            guard let seconds = Double(line) else {
                Issue.record("\(line) \(await client.wait().output)")
                return
            }
            let held = ProcessMemory.resident - before
            let bound =
                options.limits.sharedBuffers + options.limits.uploadWindows + count * (192 + 192) << 10
            print(
                "\(held >> 10) KiB held by \(count) hoarders of at most \(bound >> 10); others wait \(seconds) s"
            )
            #expect(held < bound)
            #expect(seconds < 5)
            try client.answer("")
            #expect(await client.wait().status == 0)
        }
    }

    @Test func `many transfers at once, and nothing is left of them`() async throws {
        let (connections, rounds) = Self.isLong ? (50, 200) : (8, 4)
        try await RunningRelay.with { relay in
            try await PythonClient.play("load", "\(connections)", "\(rounds)", with: relay)
            #expect(try relay.store.usage.chunks == 0)
            #expect(relay.server.counters.received == Int64(connections * rounds) << 20)
            print("\(ProcessMemory.resident >> 20) MiB, all tests of this process included")
        }
    }

    @Test func `a relay that stops lets a download end and tells everybody`() async throws {
        try await RunningRelay.with { relay in
            let client = try PythonClient.begin("leave", with: relay)
            #expect(await client.readLine() == "reading")
            let server = relay.server
            async let stopped: Void = server.stop()
            try await Task.sleep(for: .milliseconds(100))
            try client.answer("")
            let (status, output) = await client.wait()
            #expect(status == 0, "\(output)")
            await stopped
            #expect(relay.server.counters.connections == 0)
        }
    }

    @Test func `a relay that stops does not wait for ever`() async throws {
        var options = RunningRelay.Options()
        options.limits.stopTime = .milliseconds(300)
        try await RunningRelay.with(options) { relay in
            let client = try PythonClient.begin("leave", with: relay)
            #expect(await client.readLine() == "reading")
            let start = ContinuousClock.now
            await relay.server.stop()
            #expect(ContinuousClock.now - start < RelayLimits().stopTime)
            try client.answer("")
            _ = await client.wait()
        }
    }
}

/// What the system gave to this process.
enum ProcessMemory {
    /// In bytes.
    static var resident: Int {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
