import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSOCKS
import ValiseTLS
import ValiseXFTPWire

/// A connection on which HTTP/2 is spoken, before the first request.
struct OpenedConnection: Sendable {
    let channel: any Channel
    let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    let handshake: TLSHandshakeCompleted
    let health: ConnectionHealth
    let watch: NIOLoopBound<UploadWatch>

    /// Connects to the relay or to the proxy, to one of the addresses of its name after the other, and starts TLS.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    static func open(_ address: XFTPAddress, _ options: RelayConnectionOptions) async throws -> Self {
        let health = ConnectionHealth(relay: address.relayName)
        let host = address.host(throughProxy: options.proxy != nil)
        guard options.proxy != nil || !host.isOnion else {
            throw XFTPClientError.onionWithoutProxy(health.relay)
        }
        let loop = options.group.next()
        let assembled = loop.makePromise(of: ConnectionAssembly.Result.self)
        let timeout = loop.scheduleTask(in: TimeAmount(options.timeouts.connect)) {
            assembled.fail(XFTPClientError.connectTimeout(options.timeouts.connect, relay: health.relay))
        }
        defer { timeout.cancel() }

        let connected = connect(host, port: Int(address.effectivePort), options, on: loop)
        // A connection that comes too late, or is abandoned, is closed whenever it comes.
        assembled.futureResult.whenFailure { _ in connected.whenSuccess { $0.close(promise: nil) } }
        connected.flatMapThrowing { channel in
            let target = options.proxy == nil ? nil : try target(host, port: Int(address.effectivePort))
            let tls = TLSClientSettings(fingerprint: address.fingerprint, now: options.now)
            let assembly = ConnectionAssembly(
                target: target, tls: tls, health: health, stall: options.stall, promise: assembled)
            if channel.isActive { try channel.pipeline.syncOperations.addHandler(assembly) }
            // One that ended before, or while it said its first words, tells nobody.
            guard channel.isActive else { throw health.reasonOfLoss }
            try channel.syncOptions?.setOption(.autoRead, value: true)
        }.whenFailure { error in
            assembled.fail(XFTPClientError(ofConnecting: error, options.proxy, relay: health.relay))
        }
        let result = try await withTaskCancellationHandler {
            try await assembled.futureResult.get()
        } onCancel: {
            assembled.fail(CancellationError())
        }
        return OpenedConnection(
            channel: try await connected.get(), multiplexer: result.multiplexer,
            handshake: result.handshake, health: health, watch: result.watch)
    }

    /// TCP to the relay, or to the proxy. Nothing is read yet: who speaks first, as a server of another kind does, may do
    /// so before anybody here listens.
    private static func connect(
        _ host: XFTPAddress.Host, port: Int, _ options: RelayConnectionOptions, on loop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        var bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(options.timeouts.connect))
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        for (option, value) in KeepAlive.values {
            bootstrap = bootstrap.channelOption(.tcpOption(option), value: value)
        }
        if let proxy = options.proxy { return bootstrap.connect(host: proxy.host, port: Int(proxy.port)) }
        return bootstrap.connect(host: host.text, port: port)
    }

    /// Names go to the proxy as they are: it looks them up, and nobody here learns of them.
    private static func target(_ host: XFTPAddress.Host, port: Int) throws -> SOCKSAddress {
        switch host {
        case .ipv4(let text), .ipv6(let text): .address(try SocketAddress(ipAddress: text, port: port))
        case .onion(let text), .domain(let text): .domain(text, port: port)
        }
    }
}
