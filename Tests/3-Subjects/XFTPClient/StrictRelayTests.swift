import Foundation
import NIOCore
import Synchronization
import TestPeers
import Testing
import ValiseFailures
import ValiseXFTPClient
import ValiseXFTPWire

/// Against a relay that is as strict as the official one: three handlers a connection, one window for all uploads, and no
/// credit for what nobody reads.
@Suite(.enabled(if: StrictRelay.isAvailable, "needs python3 with cryptography"), .timeLimit(.minutes(3)))
struct StrictRelayTests {
    private static let mib = 1 << 20

    /// Nothing here is given up because it takes long: what does not move ends by the suite's time limit.
    private static var patient: RelayConnectionOptions {
        var options = RelayConnectionOptions()
        options.timeouts.command = .seconds(600)
        options.timeouts.answer = .seconds(600)
        options.timeouts.body = .seconds(600)
        return options
    }

    private func withPool(
        _ relay: StrictRelay, _ options: RelayConnectionOptions = patient,
        _ body: (RelayPool, XFTPAddress) async throws -> Void
    ) async throws {
        let pool = RelayPool(options)
        do {
            try await body(pool, XFTPAddress(relay.address))
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        #expect(try await relay.count("overlap") == 0, "a chunk was sent twice at a time")
        for event in try await relay.events() where event.name == "closed" {
            #expect(event.line.contains("the client closed it"))
        }
    }

    /// Registers and sends chunks, so many at a time.
    private func send(
        _ count: Int, _ parallel: Int, size: Int = 4 * mib, _ pool: RelayPool, _ address: XFTPAddress
    ) async throws -> [TestChunk] {
        try await withThrowingTaskGroup(of: TestChunk.self) { group in
            var chunks: [TestChunk] = []
            for number in 0..<count {
                if number >= parallel, let chunk = try await group.next() { chunks.append(chunk) }
                group.addTask {
                    let chunk = try await pool.withConnection(to: address) {
                        try await TestChunk.created(on: $0, size: size, seed: UInt64(number))
                    }
                    try await pool.withTransfer(to: address) { try await chunk.upload($0) }
                    return chunk
                }
            }
            for try await chunk in group { chunks.append(chunk) }
            return chunks
        }
    }

    @Test(arguments: [1, 4, 8])
    func `uploads never stand still, however many there are at a time`(parallel: Int) async throws {
        let relay = try StrictRelay()
        try await withPool(relay) { pool, address in
            let chunks = try await send(20, parallel, pool, address)
            let isIntact = try await pool.withTransfer(to: address) { try await chunks[7].comesBack($0) }
            #expect(isIntact)
        }
        #expect(try await relay.count("upload") == 20)
        #expect(try await relay.count("connection") == 1)
        #expect(try await relay.count("ping") == 0)
    }

    /// As many as stand still at this relay: it is noticed in seconds, where the time-outs are minutes.
    @Test func `uploads that wait for each other go on one at a time`() async throws {
        let relay = try StrictRelay()
        var options = Self.patient
        (options.parallelUploads, options.unansweredRequests) = (6, 6)
        options.parallelStreams = 6
        try await withPool(relay, options) { pool, address in
            _ = try await send(24, 6, pool, address)
        }
        #expect(try await relay.count("upload") == 24)
        #expect(try await relay.count("ping") >= 1)
        #expect(try await relay.count("connection") >= 2)
    }

    @Test func `an upload that waits while the relay is slow is not given up`() async throws {
        // Two seconds for each of its pieces, and always something under way.
        let relay = try StrictRelay(diskRate: 8_192)
        try await withPool(relay) { pool, address in
            _ = try await send(1, 1, size: 65_536, pool, address)
        }
        #expect(try await relay.count("connection") == 1)
    }

    @Test func `uploads that were cancelled hold up nobody`() async throws {
        let relay = try StrictRelay()
        try await withPool(relay) { pool, address in
            for number in 0..<8 {
                let half = Gauge()
                let task = Task {
                    try await pool.withTransfer(to: address) { connection in
                        let chunk = try await TestChunk.created(
                            on: connection, size: 4 * Self.mib, seed: UInt64(number))
                        try await connection.upload(
                            chunk.sender, key: chunk.senderKey, size: chunk.content.count
                        ) { offset in
                            if offset >= Self.mib {
                                half.add(1)
                                try await Task.sleep(for: .seconds(600))
                            }
                            return ByteBuffer(bytes: chunk.content[offset..<offset + 65_536])
                        }
                    }
                }
                while half.value == 0 { try await Task.sleep(for: .milliseconds(1)) }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            _ = try await send(4, 2, pool, address)
        }
        #expect(try await relay.count("upload") == 4)
    }

    @Test func `uploads that the relay refuses early hold up nobody`() async throws {
        let relay = try StrictRelay(quota: Int64(4 * Self.mib))
        try await withPool(relay) { pool, address in
            let first = try await send(1, 1, pool, address)[0]
            for number in 0..<20 {
                let error = await failure {
                    _ = try await send(1, 1, size: number % 5 == 0 ? 4 * Self.mib : 65_536, pool, address)
                }
                #expect(error?.kind == .refused(.quota))
            }
            try await pool.withConnection(to: address) {
                try await $0.delete(first.sender, key: first.senderKey)
            }
            _ = try await send(1, 1, pool, address)
        }
    }

    @Test func `downloads that were given up hold up nobody`() async throws {
        let relay = try StrictRelay()
        try await withPool(relay) { pool, address in
            let chunk = try await send(1, 1, pool, address)[0]
            struct Enough: Error {}
            for _ in 0..<12 {
                await #expect(throws: Enough.self) {
                    try await pool.withTransfer(to: address) { connection in
                        try await connection.download(
                            chunk.recipients[0], key: chunk.recipientKeys[0], size: chunk.content.count,
                            digest: chunk.digest
                        ) { _, offset in if offset > 200_000 { throw Enough() } }
                    }
                }
            }
            _ = try await send(4, 4, pool, address)
            let isIntact = try await pool.withTransfer(to: address) { try await chunk.comesBack($0) }
            #expect(isIntact)
        }
    }

    @Test func `downloads that nobody takes hold up neither commands nor uploads nor other downloads`()
        async throws
    {
        let relay = try StrictRelay()
        try await withPool(relay) { pool, address in
            let chunk = try await send(1, 1, pool, address)[0]
            let (waiting, go) = (Gauge(), Gauge())
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await pool.withTransfer(to: address) { connection in
                            try await connection.download(
                                chunk.recipients[0], key: chunk.recipientKeys[0], size: chunk.content.count,
                                digest: chunk.digest
                            ) { _, offset in
                                if offset == 0 { waiting.add(1) }
                                while go.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
                            }
                        }
                    }
                }
                while waiting.value < 3 { try await Task.sleep(for: .milliseconds(1)) }
                try await pool.withConnection(to: address) { try await $0.ping() }
                _ = try await send(3, 1, pool, address)
                let isIntact = try await pool.withTransfer(to: address) { try await chunk.comesBack($0) }
                #expect(isIntact)
                go.add(1)
                try await group.waitForAll()
            }
        }
        #expect(try await relay.count("connection") == 1)
    }

    @Test func `small requests get through while uploads wait for their content`() async throws {
        let relay = try StrictRelay()
        try await withPool(relay) { pool, address in
            let (waiting, go) = (Gauge(), Gauge())
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    group.addTask {
                        let chunk = try await pool.withConnection(to: address) {
                            try await TestChunk.created(on: $0, size: 4 * Self.mib, seed: UInt64(number))
                        }
                        try await pool.withTransfer(to: address) { connection in
                            try await connection.upload(
                                chunk.sender, key: chunk.senderKey, size: chunk.content.count
                            ) { offset in
                                if offset == 2 * Self.mib {
                                    waiting.add(1)
                                    while go.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
                                }
                                return ByteBuffer(bytes: chunk.content[offset..<offset + 65_536])
                            }
                        }
                    }
                }
                while waiting.value < 2 { try await Task.sleep(for: .milliseconds(1)) }
                for _ in 0..<10 { try await pool.withConnection(to: address) { try await $0.ping() } }
                #expect(try await relay.count("upload") == 0)
                go.add(1)
                try await group.waitForAll()
            }
        }
        #expect(try await relay.count("upload") == 4)
    }
}
