import NIOCore
import Synchronization
import Testing
import ValiseFailures
import ValiseXFTPClient
import ValiseXFTPWire

/// The official relay answers a refused upload at once, reads nothing of it, and never gives back what the unread bytes
/// take of the connection. So does relay.py.
@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct RefusedUploadTests {
    @Test func `sixteen refused uploads in a row do not hang`() async throws {
        let relay = try await PythonRelay(["upload": "QUOTA"])
        let pool = RelayPool()
        for number in 0..<16 {
            try await pool.withConnection(to: relay.address) { connection in
                let chunk = try await TestChunk.created(on: connection, seed: UInt64(number))
                let error = await failure { try await chunk.upload(connection) }
                #expect(error?.kind == .refused(.quota) && !connection.isUsable)
            }
        }
        await pool.close()
        #expect(relay.log.count { $0.hasPrefix("connection") } == 16)
    }

    @Test(arguments: [1_048_576, 4_194_304])
    func `one that takes the whole connection does not hang`(size: Int) async throws {
        let relay = try await PythonRelay(["upload": "AUTH"])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.created(on: connection, size: size)
            let error = await failure { try await chunk.upload(connection) }
            #expect(error?.kind == .refused(.auth) && error?.code == .gone)
            #expect(!connection.isUsable)
            #expect(await failure { try await connection.ping() }?.kind == .connectionLost)
        }
    }

    @Test func `others on the connection continue on another one`() async throws {
        let relay = try await PythonRelay(["upload": "QUOTA"])
        let pool = RelayPool()
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                group.addTask {
                    let chunk = try await pool.withConnection(to: relay.address) { connection in
                        try await TestChunk.created(on: connection, seed: UInt64(number))
                    }
                    let error = await failure {
                        try await pool.withConnection(to: relay.address) { try await chunk.upload($0) }
                    }
                    #expect(error?.kind == .refused(.quota))
                }
            }
            try await group.waitForAll()
        }
        await pool.close()
    }

    @Test func `the body is not asked for any more once there is an answer`() async throws {
        let relay = try await PythonRelay(["upload": "QUOTA"])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.created(on: connection, size: 4_194_304)
            let asked = Mutex(0)
            let refused = await failure {
                try await connection.upload(chunk.sender, key: chunk.senderKey, size: chunk.content.count) {
                    offset in
                    asked.withLock { $0 = offset }
                    // Four seconds for the first mebibyte: a busy machine may take a while to answer.
                    try await Task.sleep(for: .milliseconds(60))
                    return ByteBuffer(bytes: chunk.content[offset..<offset + 16_384])
                }
            }
            #expect(refused?.kind == .refused(.quota))
            #expect(asked.withLock { $0 } < 1_048_576)
        }
    }
}
