package import Logging
package import NIOCore
import NIOPosix
import Synchronization
import SystemPackage
import ValiseCryptography
import ValiseFailures
package import ValiseTLS
package import ValiseXFTPWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A running relay.
///
/// Parsing and encryption happen on event loops, files and signatures on threads of its own. It can run beside others
/// in one process, on any address.
package final class RelayServer: Sendable {
    /// What clients connect to.
    package let address: XFTPAddress
    /// The one it listens on.
    package let port: UInt16

    private let service: RelayService
    private let shown: ShownIdentity
    let registry: ConnectionRegistry
    private let listener: any Channel
    private let expiry: RepeatedTask
    private let pause: @Sendable (Duration) async -> Void
    private let stopping: Mutex<Task<Void, Never>?> = Mutex(nil)

    var limits: RelayLimits { service.limits }
    /// Uploads and downloads under way.
    var transfers: Int { service.transfers.used }
    /// Whether it refuses uploads, since it is about to stop.
    var isDraining: Bool { !service.intake.isOpen }
    /// When the first of its certificates ends, in seconds since 1970.
    var certificateEnd: Int64? { shown.current.end }

    /// What its connections did since it was started.
    package var counters: RelayCounters {
        var counters = service.counters.current
        counters.connections = registry.count
        return counters
    }

    /// Starts to listen, and to remove what has expired.
    ///
    /// - Parameters:
    ///   - configuration: addresses, certificates and limits.
    ///   - store: is closed by ``stop()``, or when this fails.
    ///   - group: stays the caller's, and has to live until ``stop()`` has returned.
    ///   - logger: gets what the operator may want to know.
    ///   - metrics: get what programs that watch the relay may want to know.
    /// - Throws: ``XFTPRelayError`` when the address cannot be listened on; `XFTPWireError`, `CertificateError` and
    ///   `TLSError` when the certificates cannot be used.
    package static func start(
        _ configuration: RelayConfiguration, store: ChunkStore, group: any EventLoopGroup, logger: Logger,
        metrics: PrometheusMetrics? = nil
    ) async throws -> RelayServer {
        let executor = CommandExecutor(
            store: store, acceptsNewFiles: configuration.acceptsNewFiles, password: configuration.password)
        let service = RelayService(
            limits: configuration.limits, executor: executor, logger: logger, metrics: RelayMetrics(metrics))
        do {
            let server = try await RelayServer(configuration, service, group)
            metrics?.collect { [weak server] text in server?.write(to: &text) }
            return server
        } catch {
            await service.close()
            throw error
        }
    }

    private init(
        _ configuration: RelayConfiguration, _ service: RelayService, _ group: any EventLoopGroup
    ) async throws {
        self.service = service
        let registry = ConnectionRegistry(limits: configuration.limits)
        self.registry = registry
        pause = configuration.pause
        shown = try ShownIdentity(configuration.identity, web: configuration.webIdentity)
        let entrance = ConnectionEntrance(
            service: service, registry: registry, shown: shown, proxies: configuration.proxies,
            logsAddresses: configuration.logsAddresses)
        listener = try await Self.listen(configuration, group) { try entrance.open($0) }
        port = UInt16(exactly: listener.localAddress?.port ?? 0) ?? 0
        address = XFTPAddress(
            fingerprint: shown.current.relay.fingerprint, hosts: configuration.hosts,
            port: port == XFTPAddress.defaultPort ? nil : port)
        expiry = group.next().scheduleRepeatedTask(
            initialDelay: .zero, delay: TimeAmount(configuration.expiryInterval)
        ) { [service] _ in service.expire() }
        service.logger.info("listening", metadata: ["address": "\(configuration.listen)", "port": "\(port)"])
    }

    // MARK: Connections

    private static func listen(
        _ configuration: RelayConfiguration, _ group: any EventLoopGroup,
        _ open: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        do {
            let address = try SocketAddress(ipAddress: configuration.listen, port: Int(configuration.port))
            return try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Without descriptors for more connections the relay waits for some to close.
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.socketOption(.so_keepalive), value: 1)
                .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10))
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try open(channel) }
                }
                .bind(to: address).get()
        } catch {
            throw cannotListen(on: configuration.listen, configuration.port, error)
        }
    }

    /// In words of its own: what the system's call was says nothing to an operator.
    static func cannotListen(on address: String, _ port: UInt16, _ error: any Error) -> XFTPRelayError {
        let place = port == 0 ? address : "\(address), port \(port)"
        let errno = (error as? IOError).map { Errno(rawValue: $0.errnoCode) }
        let (code, sentence, remedy): (FailureCode, String, Remedy) =
            switch errno {
            case .addressInUse?:
                (.inUse, "another program is listening on \(place)", .stopOrChoosePort)
            case .addressNotAvailable?:
                (.failed, "\(address) is not an address of this machine", .chooseAnotherAddress)
            case .permissionDenied?, .notPermitted?:
                (.denied, "not permitted to listen on \(place)", .chooseUnprivilegedPort)
            case let errno?:
                (
                    .failed,
                    "cannot listen on \(place): \(errno.description.lowercased())",
                    .chooseAnotherAddress
                )
            case nil:
                (.failed, "cannot listen on \(place): not a numeric address", .chooseAnotherAddress)
            }
        return XFTPRelayError(code, "\(sentence). Nothing was changed.", remedy: remedy)
    }

    // MARK: Identity

    /// Shows other certificates to new connections. Those that are open go on with what they were shown.
    ///
    /// - Throws: ``XFTPRelayError``: `invalid` for those of another relay; as ``start(_:store:group:logger:)`` where they cannot
    ///   be used. Nothing is changed then.
    package func show(_ identity: TLSIdentity, webIdentity: TLSIdentity?) throws {
        try shown.change(to: identity, web: webIdentity)
    }

    // MARK: Stop

    /// How long connections may go on after ``stop()``.
    package var longestStop: Duration { service.limits.drainDelay + service.limits.stopTime }

    /// Refuses uploads, and a while later all new connections and requests (``RelayLimits/drainDelay``), lets those that run end
    /// within ``RelayLimits/stopTime``, and closes the store. Further calls wait for the first.
    package func stop() async {
        let task = stopping.withLock { stopping in
            let task = stopping ?? Task { await self.end() }
            stopping = task
            return task
        }
        await task.value
    }

    private func end() async {
        service.intake.close()
        expiry.cancel()
        let delay = service.limits.drainDelay
        if delay > .zero {
            service.logger.info(
                "draining: refusing uploads",
                metadata: ["connections": "\(registry.count)", "seconds": "\(delay.components.seconds)"])
            await pause(delay)
        }
        service.logger.info("stopping", metadata: ["connections": "\(registry.count)"])
        try? await listener.close()
        for channel in registry.stopAdmitting() {
            channel.pipeline.fireUserInboundEventTriggered(RelayStopping())
        }
        let limit = service.limits.stopTime
        let deadline = Task { [registry] in
            try await Task.sleep(for: limit)
            for channel in registry.all { channel.close(promise: nil) }
        }
        await registry.waitUntilEmpty()
        deadline.cancel()
        await service.close()
        service.logger.info("stopped")
    }
}
