import NIOCore
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct RelayPoolTests {
    @Test func `everybody shares one connection`() async throws {
        let relay = try await PythonRelay()
        let pool = RelayPool()
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try await pool.withConnection(to: relay.address) { try await $0.ping() } }
            }
            try await group.waitForAll()
        }
        await pool.close()
        #expect(relay.log.count { $0.hasPrefix("connection") } == 1)
        try await relay.logged("disconnected")
    }

    @Test func `a lost connection is made again`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "close"]])
        let pool = RelayPool()
        for _ in 0..<3 {
            let error = await failure {
                try await pool.withConnection(to: relay.address) { try await $0.ping() }
            }
            #expect(error?.kind == .connectionLost)
        }
        await pool.close()
        #expect(relay.log.count { $0.hasPrefix("connection") } == 3)
    }

    @Test func `a connection that nobody uses is closed`() async throws {
        let relay = try await PythonRelay()
        let pool = RelayPool(RelayConnectionOptions(idleTime: .milliseconds(200)))
        try await pool.withConnection(to: relay.address) { try await $0.ping() }
        try await relay.logged("disconnected")
        try await pool.withConnection(to: relay.address) { try await $0.ping() }
        await pool.close()
    }

    @Test func `one failed attempt serves all who waited for it`() async throws {
        let relay = try await PythonRelay(["raw": "silent"])
        var options = RelayConnectionOptions()
        options.timeouts.connect = .seconds(2)
        let pool = RelayPool(options)
        await withTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    await failure { _ = try await pool.connection(to: relay.address) }?.kind
                }
            }
            for await kind in group { #expect(kind == .timedOut) }
        }
        #expect(relay.log.count { $0 == "connected" } == 1)
        await pool.close()
        #expect(await failure { _ = try await pool.connection(to: relay.address) }?.kind == .connectionLost)
    }

    @Test func `a probe of a relay says how fast it answers, and leaves nothing there`() async throws {
        let relay = try await PythonRelay()
        let probe = try await RelayProbe.run(relay.address)
        #expect(probe.connecting > .zero && probe.answering > .zero)
        try await relay.logged("disconnected")
        #expect(relay.log.count { $0.hasPrefix("connection") } == 1)
    }

    @Test func `a probe of a relay fails with the reason, wherever that is`() async throws {
        let faults: [([String: any Sendable], XFTPClientError.Kind)] = [
            (["handshake": "signature"], .untrusted), (["handshake": "versions"], .incompatible),
            (["answers": ["PING": "close"]], .connectionLost),
        ]
        for (fault, kind) in faults {
            let relay = try await PythonRelay(fault)
            let error = await failure { _ = try await RelayProbe.run(relay.address) }
            #expect(error?.kind == kind, "\(fault): \(error as Any)")
            try await relay.logged("disconnected")
        }
    }
}
