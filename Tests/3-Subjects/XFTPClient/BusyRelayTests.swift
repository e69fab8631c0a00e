import NIOCore
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

/// Relays that have no space for a request at the moment say so by REFUSED_STREAM, and those that go by GOAWAY: what they
/// refuse so was not worked on.
@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct BusyRelayTests {
    private static var quick: RelayConnectionOptions {
        var options = RelayConnectionOptions()
        options.busyRetries.firstPause = .milliseconds(10)
        options.busyRetries.longestPause = .milliseconds(50)
        return options
    }

    private func withPool(
        _ options: RelayConnectionOptions = quick, _ body: (RelayPool) async throws -> Void
    ) async throws {
        let pool = RelayPool(options)
        do {
            try await body(pool)
            await pool.close()
        } catch {
            await pool.close()
            throw error
        }
    }

    @Test func `a refused request says so, and its connection lives`() async throws {
        let relay = try await PythonRelay(["refusals": ["PING": 1]])
        try await withConnection(to: relay.address) { connection in
            let error = await failure { try await connection.ping() }
            #expect(error?.kind == .busy && error?.isTemporary == true, "\(error as Any)")
            #expect(connection.isUsable)
            try await connection.ping()
        }
    }

    @Test func `any request is made again where there was no space for it`() async throws {
        let relay = try await PythonRelay([
            "refusals": ["FNEW": 2, "FADD": 1, "FPUT": 3, "FGET": 2, "FACK": 1, "FDEL": 1]
        ])
        try await withPool { pool in
            let place = relay.address
            let chunk = try await pool.withConnection(to: place) {
                try await TestChunk.created(on: $0, size: 1_048_576)
            }
            try await pool.withConnection(to: place) { try await chunk.upload($0) }
            #expect(try await pool.withConnection(to: place) { try await chunk.comesBack($0) })
            try await pool.withConnection(to: place) {
                try await $0.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[0])
            }
            try await pool.withConnection(to: place) {
                try await $0.delete(chunk.sender, key: chunk.senderKey)
            }
        }
        #expect(relay.log.count { $0.hasPrefix("refused") } == 9)
        #expect(relay.log.count { $0.hasPrefix("connection") } == 1)
    }

    @Test func `many refused at once all arrive`() async throws {
        let relay = try await PythonRelay(["refusals": ["FPUT": 12, "FNEW": 5]])
        try await withPool { pool in
            try await withThrowingTaskGroup { group in
                for seed in 0..<12 {
                    group.addTask {
                        let chunk = try await pool.withConnection(to: relay.address) {
                            try await TestChunk.created(on: $0, seed: UInt64(seed))
                        }
                        try await pool.withConnection(to: relay.address) { try await chunk.upload($0) }
                        #expect(
                            try await pool.withConnection(to: relay.address) { try await chunk.comesBack($0) }
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a connection that refuses over and over is left for another one`() async throws {
        let relay = try await PythonRelay(["refusals": ["PING": 9]])
        try await withPool { pool in
            try await pool.withConnection(to: relay.address) { try await $0.ping() }
        }
        #expect(relay.log.count { $0.hasPrefix("connection") } == 2)
    }

    @Test func `a relay that is always busy is so in the end`() async throws {
        let relay = try await PythonRelay(["refusals": ["PING": 1000]])
        try await withPool { pool in
            let error = await failure {
                try await pool.withConnection(to: relay.address) { try await $0.ping() }
            }
            #expect(error?.kind == .busy)
        }
        #expect(relay.log.count { $0 == "refused PING" } == Self.quick.busyRetries.attempts)
    }

    @Test func `who waits for room can be cancelled`() async throws {
        let relay = try await PythonRelay(["refusals": ["PING": 1000]])
        var options = RelayConnectionOptions()
        options.busyRetries.firstPause = .seconds(600)
        try await withPool(options) { pool in
            let task = Task { try await pool.withConnection(to: relay.address) { try await $0.ping() } }
            try await relay.logged("refused")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `what a relay passes over before it goes is asked for on another connection`() async throws {
        let relay = try await PythonRelay(["departures": ["PING": 1, "FPUT": 1]])
        try await withPool { pool in
            try await pool.withConnection(to: relay.address) { try await $0.ping() }
            let chunk = try await pool.withConnection(to: relay.address) {
                try await TestChunk.created(on: $0)
            }
            try await pool.withConnection(to: relay.address) { try await chunk.upload($0) }
            #expect(try await pool.withConnection(to: relay.address) { try await chunk.comesBack($0) })
        }
        #expect(relay.log.count { $0.hasPrefix("connection") } == 3)
        #expect(relay.log.count { $0 == "command FPUT correlation 24 entity 16" } <= 1)
    }
}
