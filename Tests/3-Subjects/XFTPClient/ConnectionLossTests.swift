import NIOCore
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct ConnectionLossTests {
    @Test(
        arguments: [
            ("garbage", XFTPClientError.Kind.protocolViolation), ("session", .protocolViolation),
            ("short", .protocolViolation), ("long", .protocolViolation), ("entity", .protocolViolation),
            ("close", .connectionLost), ("reset", .connectionLost), ("ERR INTERNAL", .refused(.internal)),
            ("ERR TIMEOUT", .refused(.timeout)), ("ERR CMD SYNTAX", .refused(.command(.syntax))),
        ])
    func `an answer that is none is said to be none`(
        fault: String, kind: XFTPClientError.Kind
    ) async throws {
        let relay = try await PythonRelay(["answers": ["PING": fault]])
        try await withConnection(to: relay.address) { connection in
            let error = await failure { try await connection.ping() }
            #expect(error?.kind == kind, "\(fault): \(error as Any)")
            #expect(error?.isTemporary == (kind == .connectionLost || kind == .refused(.timeout)))
        }
    }

    @Test func `a command that is not answered has only so much time`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "silent"]])
        var options = RelayConnectionOptions()
        options.timeouts.command = .seconds(2)
        try await withConnection(to: relay.address, options) { connection in
            let start = ContinuousClock.now
            #expect(await failure { try await connection.ping() }?.kind == .timedOut)
            #expect(ContinuousClock.now - start < RelayTimeouts().command)
            #expect(!connection.isUsable)
        }
    }

    @Test func `all requests fail with the connection`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "silent", "FACK": "close"]])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            async let first = failure { try await connection.ping() }
            async let second = failure { try await connection.ping() }
            try await relay.logged("silent PING", times: 2)
            let third = await failure {
                try await connection.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[0])
            }
            for error in await [first, second, third] { #expect(error?.kind == .connectionLost) }
            #expect(!connection.isUsable)
        }
    }

    @Test func `a relay that wants to go is let go when its answers are there`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "goaway"]])
        try await withConnection(to: relay.address) { connection in
            try await connection.ping()
            #expect(!connection.isUsable)
        }
        let pool = RelayPool()
        for _ in 0..<3 { try await pool.withConnection(to: relay.address) { try await $0.ping() } }
        await pool.close()
    }

    @Test func `pings are answered`() async throws {
        let relay = try await PythonRelay(["frames": "ping"])
        try await withConnection(to: relay.address) { connection in
            try await connection.ping()
            try await relay.logged("pong", times: 9)
        }
    }

    @Test func `close fails what is under way`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "silent"]])
        let connection = try await RelayConnection.connect(to: relay.address)
        async let ping = failure { try await connection.ping() }
        try await relay.logged("silent PING")
        await connection.close()
        #expect(await ping?.kind == .connectionLost)
        await connection.close()
    }
}
