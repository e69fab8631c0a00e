import Foundation
import NIOCore
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// Both ends are ours, and so are both identities: Ed448, which official relays have, and Ed25519.
@Suite(.timeLimit(.minutes(5)))
struct OwnRelayTests {
    @Test(arguments: SigningAlgorithm.allCases)
    func `every command`(algorithm: SigningAlgorithm) async throws {
        try await OwnRelay.run(algorithm) { address in
            try await withConnection(to: address) { connection in
                try await connection.ping()
                for size in [65_536, 262_144, 1_048_576, 4_194_304] {
                    let chunk = try await TestChunk.stored(on: connection, size: size, recipients: 2)
                    #expect(try await chunk.comesBack(connection, 0))
                    // What is there stays what it is.
                    try await chunk.upload(connection)
                    let third = try SecretSeed()
                    let names = try await connection.addRecipients(
                        [third.publicKey], to: chunk.sender, key: chunk.senderKey)
                    #expect(names.count == 1)
                    try await connection.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[0])
                    #expect(await failure { _ = try await chunk.download(connection, 0) }?.code == .gone)
                    #expect(try await chunk.comesBack(connection, 1))
                    try await connection.delete(chunk.sender, key: chunk.senderKey)
                    #expect(await failure { _ = try await chunk.download(connection, 1) }?.code == .gone)
                }
            }
        }
    }

    @Test func `many chunks at a time`() async throws {
        try await OwnRelay.run { address in
            let pool = RelayPool()
            try await withThrowingTaskGroup { group in
                for seed in 0..<24 {
                    group.addTask {
                        try await pool.withConnection(to: address) { connection in
                            let chunk = try await TestChunk.stored(
                                on: connection, size: seed % 2 == 0 ? 65_536 : 1_048_576, seed: UInt64(seed))
                            #expect(try await chunk.comesBack(connection))
                        }
                    }
                }
                try await group.waitForAll()
            }
            await pool.close()
        }
    }

    @Test func `refused uploads do not hang`() async throws {
        try await OwnRelay.run(quota: 65_536) { address in
            let pool = RelayPool()
            for number in 0..<20 {
                try await pool.withConnection(to: address) { connection in
                    let chunk = try await TestChunk.created(
                        on: connection, size: number == 3 ? 4_194_304 : 1_048_576, seed: UInt64(number))
                    let error = await failure { try await chunk.upload(connection) }
                    #expect(error?.kind == .refused(.quota) && error?.code == .noSpace)
                }
            }
            await pool.close()
        }
    }

    /// How fast, with both ends in one process: `VALISE_SOAK=1 swift test -c release`.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil), arguments: [1, 4])
    func `throughput of chunks of 4 MiB`(parallel: Int) async throws {
        try await OwnRelay.run { address in
            try await withConnection(to: address) { connection in
                let chunk = try TestChunk(size: 4_194_304)
                let rounds = 32
                let piece = ByteBuffer(bytes: chunk.content)
                let clock = ContinuousClock()
                var stored: [TestChunk] = []
                for _ in 0..<rounds {
                    stored.append(try await TestChunk.created(on: connection, size: 4_194_304))
                }
                let chunks = stored
                let up = try await clock.measure {
                    try await each(chunks, parallel) { chunk in
                        try await connection.upload(
                            chunk.sender, key: chunk.senderKey, size: chunk.content.count
                        ) { offset in piece.getSlice(at: offset, length: 65_536)! }
                    }
                }
                let down = try await clock.measure {
                    try await each(chunks, parallel) { chunk in
                        try await connection.download(
                            chunk.recipients[0], key: chunk.recipientKeys[0], size: chunk.content.count,
                            digest: chunk.digest
                        ) { _, _ in }
                    }
                }
                let megabytes = Double(rounds) * 4.194304
                print(
                    "\(parallel) at a time: up \(megabytes / (up / .seconds(1))) MB/s,",
                    "down \(megabytes / (down / .seconds(1))) MB/s")
            }
        }
    }

    private func each(
        _ chunks: [TestChunk], _ parallel: Int, _ body: @escaping @Sendable (TestChunk) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, chunk) in chunks.enumerated() {
                if number >= parallel { try await group.next() }
                group.addTask { try await body(chunk) }
            }
            try await group.waitForAll()
        }
    }
}
