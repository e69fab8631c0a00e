import NIOCore
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

/// Lines that are slow and honest: whatever moves is not given up, and where several chunks at a time come too late, fewer
/// of them are under way.
@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct SlowLineTests {
    private static let size = 262_144

    @Test func `as long as something moves nothing is given up`() async throws {
        // Four at a time need four seconds each way.
        let relay = try await PythonRelay(["rate": Self.size])
        var options = RelayConnectionOptions()
        options.timeouts.command = .milliseconds(2_500)
        options.timeouts.body = .milliseconds(2_500)
        try await withConnection(to: relay.address, options) { connection in
            try await withThrowingTaskGroup { group in
                for seed in 0..<4 {
                    group.addTask {
                        let chunk = try await TestChunk.stored(
                            on: connection, size: Self.size, seed: UInt64(seed))
                        #expect(try await chunk.comesBack(connection))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(relay.log.count { $0.hasPrefix("connection") } == 1)
    }

    @Test func `what moves has only so much time in all`() async throws {
        let relay = try await PythonRelay(["rate": Self.size / 5])
        var options = RelayConnectionOptions()
        options.timeouts.answer = .seconds(2)
        try await withConnection(to: relay.address, options) { connection in
            let chunk = try await TestChunk.created(on: connection, size: Self.size)
            #expect(await failure { try await chunk.upload(connection) }?.kind == .timedOut)
            #expect(!connection.isUsable)
        }
    }

    /// One alone takes less than half a second, eight at a time more than three.
    private static let rate = 5 * size / 2

    private enum Limit: CaseIterable {
        case own, relay
    }

    @Test(arguments: Limit.allCases)
    private func `uploads that are too many for the line arrive when there are fewer`(limit: Limit)
        async throws
    {
        var faults: [String: any Sendable] = ["rate": Self.rate]
        if limit == .relay { faults["upload_time"] = 2.0 }
        let relay = try await PythonRelay(faults)
        var options = RelayConnectionOptions(
            parallelStreams: 8, parallelUploads: 8, unansweredRequests: 8)
        if limit == .own { options.timeouts.answer = .seconds(2) }
        let pool = RelayPool(options)
        let late = try await repeated { number in
            let chunk = try await pool.withConnection(to: relay.address) {
                try await TestChunk.created(on: $0, size: Self.size, seed: UInt64(number))
            }
            return { try await pool.withTransfer(to: relay.address) { try await chunk.upload($0) } }
        }
        await pool.close()
        #expect((2...40).contains(late), "\(late)")
    }

    @Test func `downloads that are too many for the line arrive when there are fewer`() async throws {
        let relay = try await PythonRelay(["rate": Self.rate])
        var options = RelayConnectionOptions(
            parallelStreams: 8, parallelUploads: 8, unansweredRequests: 8)
        options.timeouts.download = .seconds(2)
        let pool = RelayPool(options)
        let chunk = try await pool.withTransfer(to: relay.address) {
            try await TestChunk.stored(on: $0, size: Self.size)
        }
        let late = try await repeated { _ in
            {
                let isIntact = try await pool.withTransfer(to: relay.address) {
                    try await chunk.comesBack($0)
                }
                #expect(isIntact)
            }
        }
        await pool.close()
        #expect((2...40).contains(late), "\(late)")
    }

    /// Does eight at a time, each until it succeeds.
    /// - Returns: how many came too late.
    private func repeated(
        _ prepare: (Int) async throws -> @Sendable () async throws -> Void
    ) async throws -> Int {
        let late = Gauge()
        var work: [@Sendable () async throws -> Void] = []
        for number in 0..<8 { work.append(try await prepare(number)) }
        try await withThrowingTaskGroup { group in
            for transfer in work {
                group.addTask {
                    try await RetryPolicy(firstPause: .milliseconds(1), attempts: 12).run(
                        willRetry: { _, _ in late.add(1) }, transfer)
                }
            }
            try await group.waitForAll()
        }
        return late.value
    }
}
