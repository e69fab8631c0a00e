import Testing
import ValiseFailures
import ValiseXFTPClient

@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct DownloadFaultTests {
    @Test(
        arguments: [
            ("truncated", "bytes"), ("no-tag", "bytes"), ("short-tag", "bytes"), ("empty", "bytes"),
            ("flipped", "tag"), ("wrong", "description"),
        ])
    func `what is not the chunk is refused`(fault: String, word: String) async throws {
        let relay = try await PythonRelay(["download": fault])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            let error = await failure { _ = try await chunk.download(connection) }
            #expect(error?.kind == .damagedChunk && error?.code == .damaged, "\(fault): \(error as Any)")
            #expect(error?.message.contains(word) == true, "\(error as Any)")
            try await connection.ping()
        }
    }

    @Test func `a byte behind the tag is one too many`() async throws {
        let relay = try await PythonRelay(["download": "extra"])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            #expect(await failure { _ = try await chunk.download(connection) }?.kind == .protocolViolation)
        }
    }

    @Test func `a relay that falls silent within a chunk has only so much time`() async throws {
        let relay = try await PythonRelay(["download": "stalls"])
        var options = RelayConnectionOptions()
        options.timeouts.body = .milliseconds(300)
        try await withConnection(to: relay.address, options) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            let error = await failure { _ = try await chunk.download(connection) }
            #expect(error?.kind == .timedOut && error?.isTemporary == true)
            #expect(!connection.isUsable)
        }
        try await relay.logged("disconnected")
    }

    @Test func `a connection that ends within a chunk is lost`() async throws {
        let relay = try await PythonRelay(["download": "closes"])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            let error = await failure { _ = try await chunk.download(connection) }
            #expect(error?.kind == .connectionLost && error?.isTemporary == true)
        }
    }

    @Test func `another digest than the description's is found`() async throws {
        let relay = try await PythonRelay()
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection)
            let error = await failure {
                try await connection.download(
                    chunk.recipients[0], key: chunk.recipientKeys[0], size: chunk.content.count,
                    digest: Array(repeating: 0, count: 32)
                ) { _, _ in }
            }
            #expect(error?.kind == .damagedChunk)
            // A size that is not the chunk's is no better.
            let larger = await failure {
                try await connection.download(
                    chunk.recipients[0], key: chunk.recipientKeys[0], size: 262_144, digest: chunk.digest
                ) { _, _ in }
            }
            #expect(larger?.kind == .damagedChunk)
            let smaller = await failure {
                try await connection.download(
                    chunk.recipients[0], key: chunk.recipientKeys[0], size: 60_000, digest: chunk.digest
                ) { _, _ in }
            }
            #expect(smaller?.kind == .protocolViolation)
        }
    }

    @Test func `what the consumer throws comes out, and the connection goes on`() async throws {
        struct Full: Error {}
        let relay = try await PythonRelay()
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 1_048_576)
            await #expect(throws: Full.self) {
                try await connection.download(
                    chunk.recipients[0], key: chunk.recipientKeys[0], size: chunk.content.count,
                    digest: chunk.digest
                ) { _, _ in throw Full() }
            }
            #expect(try await chunk.comesBack(connection))
        }
    }
}
