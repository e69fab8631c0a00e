import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// A relay behind a proxy.
@Suite(.timeLimit(.minutes(2)))
struct ProxyConnectionTests {
    private static func with(
        _ change: (inout RunningRelay.Options) -> Void = { _ in }, _ body: (RunningRelay) async throws -> Void
    ) async throws {
        var options = RunningRelay.Options()
        options.configure = { $0.proxies = .loopback }
        change(&options)
        try await RunningRelay.with(options, body)
    }

    private static func header(_ address: String) -> [UInt8] {
        ProxyHeaderTests.line("PROXY TCP4 \(address) 10.0.0.1 8080 443")
    }

    /// A connection to a relay through a proxy that says this first.
    private static func through<Result>(
        _ header: [UInt8], _ relay: RunningRelay, _ body: (RelayConnection) async throws -> Result
    ) async throws -> Result {
        let proxy = try await TestProxy(header, port: relay.server.port)
        let address = XFTPAddress(
            fingerprint: relay.server.address.fingerprint, hosts: [.ipv4("127.0.0.1")], port: proxy.port)
        do {
            let result = try await withConnection(to: address) { try await body($0) }
            await proxy.stop()
            return result
        } catch {
            await proxy.stop()
            throw error
        }
    }

    @Test func `a client behind a proxy is known by its own address`() async throws {
        let lines = CapturedLog.Lines()
        try await Self.with {
            $0.logger = Logger(label: "test") { _ in CapturedLog(lines, level: .debug) }
            $0.configure = {
                $0.proxies = .loopback
                $0.logsAddresses = true
            }
            $0.limits.connectionsPerAddress = 1
            $0.limits.ratesPerAddress.newFiles = 1
        } _: { relay in
            try await Self.through(Self.header("203.0.113.7"), relay) { connection in
                let chunk = try await TestChunk.stored(on: connection)
                let second = await failure { _ = try await TestChunk.created(on: connection, seed: 2) }
                #expect(second?.kind == .refused(.timeout))
                let isRefused = await failure {
                    try await Self.through(Self.header("203.0.113.7"), relay) { _ in }
                }
                #expect(isRefused != nil)
                #expect(relay.server.counters.turnedAway == 1)
                let isBack = try await Self.through(Self.header("203.0.113.8"), relay) {
                    _ = try await TestChunk.created(on: $0, seed: 3)
                    return try await chunk.comesBack($0)
                }
                #expect(isBack)
            }
            #expect(lines.all.contains { $0.contains("203.0.113.7") })
            try await eventually { relay.server.counters.connections == 0 }
            // Its place is free again.
            try await Self.through(Self.header("203.0.113.7"), relay) { _ in }
        }
    }

    @Test func `a proxy itself may look whether the relay lives`() async throws {
        try await Self.with { relay in
            for header in [ProxyHeaderTests.binary(0x20, 0, []), ProxyHeaderTests.line("PROXY UNKNOWN")] {
                try await Self.through(header, relay) { _ = try await TestChunk.stored(on: $0) }
            }
            #expect(relay.server.counters.turnedAway == 0)
        }
    }

    @Test func `who says nothing of the kind, or is no proxy, is not let in`() async throws {
        let lines = CapturedLog.Lines()
        try await Self.with {
            $0.logger = Logger(label: "test") { _ in CapturedLog(lines, level: .warning) }
        } _: { relay in
            let direct = await failure {
                try await withConnection(to: relay.server.address.onLoopback) { _ in }
            }
            #expect(direct != nil)
            for header in [ProxyHeaderTests.line("PROXY TCP4 nobody 10.0.0.1 1 2"), Array("GET / ".utf8)] {
                let refused = await failure { try await Self.through(header, relay) { _ in } }
                #expect(refused != nil)
            }
            #expect(relay.server.counters.turnedAway == 3)
            #expect(lines.all.count == 1 && lines.all[0].contains("PROXY protocol header"), "\(lines.all)")
        }
        try await Self.with {
            $0.configure = { $0.proxies = AddressRanges("192.0.2.1") }
        } _: { relay in
            let stranger = await failure {
                try await Self.through(Self.header("203.0.113.7"), relay) { _ in }
            }
            #expect(stranger != nil && relay.server.counters.turnedAway == 1)
        }
    }

    @Test func `a header has to come in time, also byte by byte`() async throws {
        try await Self.with {
            $0.limits.proxyHeaderTime = .milliseconds(500)
        } _: { relay in
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(relay.server.port)).get()
            for byte in Self.header("203.0.113.7").prefix(8) {
                try? await channel.writeAndFlush(ByteBuffer(bytes: [byte]))
                try await Task.sleep(for: .milliseconds(50))
            }
            try await channel.closeFuture.get()
            #expect(relay.server.counters.turnedAway == 1)
        }
    }
}

/// Passes connections on to a relay, and says something first.
private final class TestProxy: Sendable {
    let port: UInt16
    private let listener: any Channel

    init(_ header: [UInt8], port relay: UInt16) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        listener = try await ServerBootstrap(group: group)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).channelInitializer { server in
                    server.eventLoop.makeCompletedFuture {
                        try server.pipeline.syncOperations.addHandler(Passing(to: client))
                    }
                }.connect(host: "127.0.0.1", port: Int(relay)).flatMap { server in
                    server.writeAndFlush(ByteBuffer(bytes: header), promise: nil)
                    return client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(Passing(to: server))
                    }.flatMap { client.setOption(.autoRead, value: true) }
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(listener.localAddress?.port ?? 0)
    }

    func stop() async { try? await listener.close() }
}

private final class Passing: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
