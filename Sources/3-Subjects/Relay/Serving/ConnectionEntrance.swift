import Logging
import NIOCore
import Synchronization
import ValiseTLS

/// Lets connections in: each gets a place, a client, and TLS.
final class ConnectionEntrance: Sendable {
    private let service: RelayService
    private let registry: ConnectionRegistry
    private let shown: ShownIdentity
    private let proxies: AddressRanges?
    private let logsAddresses: Bool
    private let hasWarned = Atomic(false)

    init(
        service: RelayService, registry: ConnectionRegistry, shown: ShownIdentity, proxies: AddressRanges?,
        logsAddresses: Bool
    ) {
        self.service = service
        self.registry = registry
        self.shown = shown
        self.proxies = proxies
        self.logsAddresses = logsAddresses
    }

    /// - Throws: where there is no place; NIO closes the channel.
    func open(_ channel: any Channel) throws {
        let isProxied = proxies != nil
        if let proxies {
            // Who has gone already has no address: balancers that only look whether somebody listens reset their connections.
            guard let address = channel.remoteAddress else { throw ChannelError.alreadyClosed }
            guard proxies.contains(address) else { throw refused(ProxyFault.stranger) }
        }
        guard
            let place = registry.admit(
                channel, for: isProxied ? nil : ClientAddress(channel.remoteAddress))
        else { throw turnedAway() }
        let number = service.counters.accept()
        var log = service.logger
        log[metadataKey: "connection"] = "\(number)"
        if !isProxied { tell(channel.remoteAddress, log) }
        let shown = shown.current
        var handlers: [any ChannelHandler] = [
            try TLSChannelHandler(server: shown.tls),
            ConnectionOpening(service: service, identity: shown.relay, place: place, log: log),
        ]
        if isProxied {
            let header = ProxyHeaderHandler(timeout: TimeAmount(service.limits.proxyHeaderTime)) {
                [self, log] result in identify(place, result, log)
            }
            handlers.insert(header, at: 0)
        }
        try channel.pipeline.syncOperations.addHandlers(handlers)
    }

    /// - Returns: whether the connection may go on.
    private func identify(
        _ place: ConnectionPlace, _ result: Result<ProxyHeader.Source, ProxyFault>, _ log: Logger
    ) -> Bool {
        switch result {
        case .success(.proxy): return true
        case .success(.client(let address)):
            tell(address, log)
            if registry.identify(place, as: ClientAddress(address)) { return true }
            _ = turnedAway()
            return false
        case .failure(let fault):
            _ = refused(fault)
            return false
        }
    }

    private func tell(_ address: SocketAddress?, _ log: Logger) {
        var metadata: Logger.Metadata = [:]
        if logsAddresses { metadata["from"] = "\(address.map { "\($0)" } ?? "?")" }
        log.debug("accepted", metadata: metadata)
    }

    private func turnedAway() -> any Error {
        service.counters.update { $0.turnedAway += 1 }
        return ChannelError.inappropriateOperationForState
    }

    /// The operator is told once: a proxy that is set up otherwise makes all connections fail.
    private func refused(_ fault: ProxyFault) -> any Error {
        let isFirst = !hasWarned.exchange(true, ordering: .relaxed)
        service.logger.log(
            level: isFirst ? .warning : .debug, "refused a connection: \(fault.text)",
            metadata: isFirst ? ["setting": "proxy_protocol"] : nil)
        return turnedAway()
    }
}
