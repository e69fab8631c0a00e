import NIOCore
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// What clients may move and announce, in all and by their addresses.
@Suite(.timeLimit(.minutes(2)))
struct TrafficLimitsTests {
    private static func limits(
        _ change: (inout RelayLimits) -> Void
    ) -> TrafficLimits {
        var limits = RelayLimits()
        change(&limits)
        return TrafficLimits(limits)
    }

    private static func client(_ address: String) throws -> ClientAddress {
        ClientAddress(try SocketAddress(ipAddress: address, port: 1))
    }

    // MARK: Arithmetic

    @Test func `bytes are paced, whoever takes them`() throws {
        let limits = Self.limits { $0.rates.download = 100_000 }
        let clients = try ["192.0.2.1", "192.0.2.2"].map { limits.allowance(of: try Self.client($0)) }
        let start = ContinuousClock.now
        // A second's worth is there at first. What is taken beyond that waits in a queue.
        let pauses = (0..<6).map { clients[$0 % 2].take(100_000, .download, now: start) }
        for (index, pause) in pauses.enumerated() {
            #expect(abs(pause / .seconds(1) - Double(max(0, index - 1))) < 0.01, "\(pauses)")
        }
        #expect(clients[0].take(1, .upload, now: start) == .zero)
        #expect(clients[0].take(1, .download, now: start + .seconds(10)) == .zero)
    }

    @Test func `each address has its own, a network of IPv6 one together, this machine none`() throws {
        let limits = Self.limits { $0.ratesPerAddress.newFiles = 3 }
        let now = ContinuousClock.now
        func count(_ address: String) throws -> Int {
            let allowance = limits.allowance(of: try Self.client(address))
            return (0..<10).count { _ in allowance.takeNewFile(now: now) }
        }
        #expect(try count("192.0.2.1") == 3 && count("192.0.2.1") == 0 && count("192.0.2.2") == 3)
        #expect(try count("2001:db8::1") == 3 && count("2001:db8::2") == 0 && count("2001:db8:0:1::1") == 3)
        #expect(try count("127.0.0.1") == 10)
        #expect(limits.allowance(of: nil).takeNewFile(now: now))
    }

    @Test func `chunks may be announced again as the hour passes`() throws {
        let limits = Self.limits {
            $0.rates.newFiles = 6
            $0.ratesPerAddress.newFiles = 2
        }
        let start = ContinuousClock.now
        let one = limits.allowance(of: try Self.client("192.0.2.1"))
        let others = try (2..<8).map { limits.allowance(of: try Self.client("192.0.2.\($0)")) }
        var answers = (0..<3).map { _ in one.takeNewFile(now: start) }
        #expect(answers == [true, true, false])
        answers = others.map { $0.takeNewFile(now: start) }
        #expect(answers == [true, true, true, true, false, false], "what one address was refused is left")
        #expect(!one.takeNewFile(now: start + .seconds(1700)))
        #expect(one.takeNewFile(now: start + .seconds(1801)))
        #expect(one.takeNewFile(now: start + .seconds(3700)))
        #expect(!one.takeNewFile(now: start + .seconds(3700)))
    }

    @Test func `a table forgets what nobody asked for, and never the last half`() {
        var table = RecentTable<Int, Int>(most: 100)
        var made = 0
        func value(_ key: Int) -> Int {
            table.value(for: key) {
                made += 1
                return key
            }
        }
        for key in 0..<10_000 {
            #expect(value(key) == key && value(7) == 7 && table.count <= 100)
            for recent in max(0, key - 40)...key { #expect(value(recent) == recent) }
        }
        #expect(made == 10_000, "none of the last ones was made twice")
    }

    @Test func `the last half of the transfers is for those that have few`() {
        let places = TransferPlaces(8)
        var taken = 0
        while places.take(held: taken) { taken += 1 }
        #expect(taken == 4 && places.used == 4)
        #expect(places.take(held: 0) && places.take(held: 1) && !places.take(held: 2))
        #expect(places.take(held: 0) && places.take(held: 0) && !places.take(held: 0))
        places.release()
        #expect(places.take(held: 1) && places.used == 8)
    }

    // MARK: A relay

    private static func timed(
        _ change: (inout RelayLimits) -> Void, _ body: (RelayConnection) async throws -> Void
    ) async throws -> Double {
        var options = RunningRelay.Options()
        options.limits.exemptsLoopback = false
        change(&options.limits)
        var seconds = 0.0
        try await RunningRelay.with(options) { relay in
            try await withConnection(to: relay.server.address.onLoopback) { connection in
                let start = ContinuousClock.now
                try await body(connection)
                seconds = (ContinuousClock.now - start) / .seconds(1)
            }
            #expect(relay.server.counters.misbehaved == 0)
        }
        return seconds
    }

    @Test(arguments: [true, false])
    func `downloads are slowed down, not cut`(perAddress: Bool) async throws {
        let seconds = try await Self.timed {
            if perAddress { $0.ratesPerAddress.download = 128 << 10 } else { $0.rates.download = 128 << 10 }
        } _: { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 262_144)
            async let first = chunk.comesBack(connection)
            async let second = chunk.comesBack(connection)
            let both = try await [first, second]
            #expect(both == [true, true])
        }
        // 512 KiB, of which 128 come in each second, and 128 are there at first; the last piece waits for those before it.
        #expect(seconds > 2.2, "\(seconds)")
    }

    @Test(arguments: [true, false])
    func `uploads are slowed down, not cut`(perAddress: Bool) async throws {
        let seconds = try await Self.timed {
            if perAddress { $0.ratesPerAddress.upload = 512 << 10 } else { $0.rates.upload = 512 << 10 }
        } _: { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 1_048_576)
            try await TestChunk.created(on: connection, size: 1_048_576, seed: 2).upload(connection)
            let isBack = try await chunk.comesBack(connection)
            #expect(isBack)
        }
        #expect(seconds > 2, "\(seconds)")
    }

    @Test func `who waits for its turn is not taken for a client that stands still`() async throws {
        let seconds = try await Self.timed {
            $0.rates.download = 32 << 10
            $0.progressTime = .seconds(4)
            $0.progressBytes = 262_144
        } _: { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 262_144)
            let isBack = try await chunk.comesBack(connection)
            #expect(isBack)
        }
        #expect(seconds > 4)
    }

    @Test func `who announces too many chunks is asked to come again`() async throws {
        _ = try await Self.timed {
            $0.ratesPerAddress.newFiles = 2
        } _: { connection in
            let chunk = try await TestChunk.stored(on: connection)
            _ = try await TestChunk.created(on: connection, seed: 2)
            let refused = await failure { _ = try await TestChunk.created(on: connection, seed: 3) }
            #expect(refused?.kind == .refused(.timeout))
            let isBack = try await chunk.comesBack(connection)
            #expect(isBack)
        }
    }
}
