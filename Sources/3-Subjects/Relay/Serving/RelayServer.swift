package import Logging
package import NIOCore
import NIOPosix
import Synchronization
import SystemPackage
import ValiseCryptography
import ValiseFailures
import ValiseTLS
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
    let registry: ConnectionRegistry
    private let listener: any Channel
    private let expiry: RepeatedTask
    private let stopping: Mutex<Task<Void, Never>?> = Mutex(nil)

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
    /// - Throws: ``XFTPRelayError`` when the address cannot be listened on; `XFTPWireError`, `CertificateError` and
    ///   `TLSError` when the certificates cannot be used.
    package static func start(
        _ configuration: RelayConfiguration, store: ChunkStore, group: any EventLoopGroup, logger: Logger
    ) async throws -> RelayServer {
        let executor = CommandExecutor(
            store: store, acceptsNewFiles: configuration.acceptsNewFiles, password: configuration.password)
        let service = RelayService(limits: configuration.limits, executor: executor, logger: logger)
        do {
            return try await RelayServer(configuration, service, group)
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
        let identity = try RelayIdentity(
            configuration.identity.chain, key: configuration.identity.key)
        let settings = try TLSServerSettings(
            identity: configuration.identity, webIdentity: configuration.webIdentity)
        listener = try await Self.listen(configuration, group) { channel in
            try Self.open(channel, service, registry, identity, settings)
        }
        port = UInt16(exactly: listener.localAddress?.port ?? 0) ?? 0
        address = XFTPAddress(
            fingerprint: identity.fingerprint, hosts: configuration.hosts,
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
                .serverChannelOption(.backlog, value: 256)
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
            throw cannotListen(configuration, error)
        }
    }

    /// In words of its own: what the system's call was says nothing to an operator.
    private static func cannotListen(
        _ configuration: RelayConfiguration, _ error: any Error
    ) -> XFTPRelayError {
        let port = configuration.port == 0 ? "" : ", port \(configuration.port)"
        let place = "\(configuration.listen)\(port)"
        let errno = (error as? IOError).map { Errno(rawValue: $0.errnoCode) }
        let (code, sentence, remedy): (FailureCode, String, Remedy) =
            switch errno {
            case .addressInUse?:
                (.inUse, "another program is listening on \(place)", .stopOrChoosePort)
            case .addressNotAvailable?:
                (.failed, "\(configuration.listen) is not an address of this machine", .chooseAnotherAddress)
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

    private static func open(
        _ channel: any Channel, _ service: RelayService, _ registry: ConnectionRegistry,
        _ identity: RelayIdentity, _ settings: TLSServerSettings
    ) throws {
        guard let place = registry.admit(channel) else {
            service.counters.update { $0.turnedAway += 1 }
            throw ChannelError.inappropriateOperationForState
        }
        let number = service.counters.accept()
        var log = service.logger
        log[metadataKey: "connection"] = "\(number)"
        log.debug("accepted", metadata: ["from": "\(channel.remoteAddress.map { "\($0)" } ?? "?")"])
        try channel.pipeline.syncOperations.addHandlers([
            try TLSChannelHandler(server: settings),
            ConnectionOpening(service: service, identity: identity, place: place, log: log),
        ])
    }

    // MARK: Stop

    /// Takes no new connections and requests, lets those that run end within ``RelayLimits/stopTime``, and closes the
    /// store. Further calls wait for the first.
    package func stop() async {
        let task = stopping.withLock { stopping in
            let task = stopping ?? Task { await self.end() }
            stopping = task
            return task
        }
        await task.value
    }

    private func end() async {
        service.logger.info("stopping", metadata: ["connections": "\(registry.count)"])
        expiry.cancel()
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
