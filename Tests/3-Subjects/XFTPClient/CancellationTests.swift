import NIOCore
import Testing
import ValiseXFTPClient

@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test func `cancelled requests end at once and are reset slowly`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "silent"]])
        var options = RelayConnectionOptions()
        options.unansweredRequests = 6
        try await withConnection(to: relay.address, options) { connection in
            let tasks = (0..<6).map { _ in Task { try await connection.ping() } }
            try await relay.logged("silent PING", times: 6)
            for task in tasks { task.cancel() }
            for task in tasks {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            // They ended before the relay was told of all of them: it is told three times in a second at most.
            #expect(relay.resets.count < 6)
            try await relay.logged("reset", times: 6)
            let times = relay.resets
            for (first, fourth) in zip(times, times.dropFirst(3)) {
                #expect(fourth - first > 0.8, "\(times)")
            }
            let chunk = try await TestChunk.stored(on: connection)
            #expect(try await chunk.comesBack(connection))
        }
    }

    @Test func `with too many requests given up, the next ones go over another connection`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "silent"]])
        var options = RelayConnectionOptions()
        options.unansweredRequests = 15
        let pool = RelayPool(options)
        for round in 1...3 {
            let tasks = (0..<15).map { _ in
                Task { try await pool.withConnection(to: relay.address) { try await $0.ping() } }
            }
            try await relay.logged("silent PING", times: 15 * round)
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            // Nobody waits until all are reset. Those who come before it is seen that they are too many share it still.
            try await relay.logged("disconnected", times: round)
        }
        #expect(relay.log.count { $0.hasPrefix("connection") } == 3)
        #expect(relay.resets.count < 45)
        let chunk = try await pool.withConnection(to: relay.address) { try await TestChunk.stored(on: $0) }
        #expect(try await pool.withConnection(to: relay.address) { try await chunk.comesBack($0) })
        await pool.close()
    }

    @Test func `a cancelled upload stops and leaves nothing`() async throws {
        let relay = try await PythonRelay(["slow": 0.05])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.created(on: connection, size: 4_194_304)
            let task = Task { try await chunk.upload(connection) }
            try await Task.sleep(for: .milliseconds(300))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // What nobody read of it may stay charged to the connection, so that serves for nothing more.
            #expect(!connection.isUsable)
            try await relay.logged("disconnected")
        }
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            #expect(try await chunk.comesBack(connection))
        }
    }

    @Test func `a cancelled download stops`() async throws {
        let relay = try await PythonRelay()
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 4_194_304)
            let task = Task { try await chunk.download(connection, pause: .seconds(1)) }
            try await Task.sleep(for: .milliseconds(300))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await chunk.comesBack(connection))
        }
    }

    @Test func `who waits for a stream can be cancelled`() async throws {
        let relay = try await PythonRelay(["answers": ["PING": "silent"]])
        try await withConnection(to: relay.address, RelayConnectionOptions(unansweredRequests: 1)) {
            connection in
            let first = Task { try await connection.ping() }
            try await relay.logged("silent PING")
            let second = Task { try await connection.ping() }
            try await Task.sleep(for: .milliseconds(50))
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
        }
        #expect(relay.log.count { $0 == "silent PING" } == 1)
    }

    @Test(arguments: ["silent", "tls-silent"])
    func `connecting can be cancelled`(fault: String) async throws {
        let relay = try await PythonRelay(["raw": fault])
        let task = Task { try await RelayConnection.connect(to: relay.address) }
        try await relay.logged("connected")
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        try await relay.logged("disconnected")
    }
}
