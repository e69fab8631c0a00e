package import Logging
package import NIOCore
import Synchronization
import SystemPackage
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
package import ValiseXFTPWire

/// A relay that runs from its folder: with its store, its control socket, and what has to be done now and then, by
/// ``keepHouse()``.
package final class FolderRelay: Sendable {
    package let server: RelayServer
    package let store: ChunkStore
    /// What clients connect to.
    package var address: XFTPAddress { server.address }

    let folder: RelayFolder
    let settings: RelaySettings
    let version: String
    let started: Int64
    let log: Logger
    private let watch: Watch?
    private let control = Mutex<ControlSocket?>(nil)
    /// Is set when the operator asks for the end through the control socket.
    package let stopRequest = StopSignal()

    /// Opens the folder and the store, and listens.
    ///
    /// - Parameters:
    ///   - folder: with settings, keys and chunks.
    ///   - group: stays the caller's, and has to live until ``stop()`` has returned.
    ///   - logger: gets what the operator may want to know.
    ///   - version: of the program, for those who ask.
    ///   - descriptors: how many files the process may open; nil when that bounds nothing.
    ///   - store: opens the store, on a thread that may block; nil for the one in the folder.
    /// - Throws: as ``RelayFolder/contents()``, the store and ``RelayServer``.
    package static func start(
        _ folder: RelayFolder, group: any EventLoopGroup, logger: Logger, version: String,
        descriptors: Int? = nil, store: (@Sendable (RelaySettings) throws -> ChunkStore)? = nil
    ) async throws -> FolderRelay {
        let open = store ?? { try folder.openStore($0) }
        let contents = try await blocking { try folder.contents() }
        for line in contents.settings.ignored {
            logger.warning("ignoring a setting that has no effect here", metadata: ["setting": "\(line)"])
        }
        if contents.keepsAuthorityKey {
            logger.warning(
                "the identity key (ca.key) is still in the relay folder. Move it to offline storage.")
        }
        let page = MetricsPage(version: version, started: UTCTime.clock())
        // First of all, so that whoever asks is told that it starts: a log of millions of lines takes its time.
        let watch = try await watch(contents.settings.serving, page, group, logger)
        do {
            let store = try await blocking { try open(contents.settings) }
            report(store.startReport, logger)
            let server = try await RelayServer.start(
                configuration(contents, limits(contents.settings, descriptors, logger)), store: store,
                group: group, logger: logger, metrics: watch == nil ? nil : page.metrics)
            let relay = FolderRelay(folder, contents.settings, store, server, logger, version, watch)
            do {
                try await relay.open(group)
            } catch {
                await server.stop()
                throw error
            }
            page.health.serve(from: store)
            return relay
        } catch {
            await watch?.listener.stop()
            throw error
        }
    }

    private init(
        _ folder: RelayFolder, _ settings: RelaySettings, _ store: ChunkStore, _ server: RelayServer,
        _ log: Logger, _ version: String, _ watch: Watch?
    ) {
        self.folder = folder
        self.settings = settings
        self.store = store
        self.server = server
        self.log = log
        self.version = version
        self.watch = watch
        started = store.rules.clock()
    }

    /// Where programs ask that watch it.
    private struct Watch: Sendable {
        let page: MetricsPage
        let listener: MetricsListener
    }

    /// - Returns: nil where the settings want none.
    private static func watch(
        _ settings: ServingSettings, _ page: MetricsPage, _ group: any EventLoopGroup, _ logger: Logger
    ) async throws -> Watch? {
        guard let port = settings.metricsPort.flatMap({ UInt16(exactly: $0) }) else { return nil }
        let listener = try await MetricsListener(
            settings.metricsListen, port: port, group: group, page: page)
        logger.info(
            "serving metrics", metadata: ["address": "\(settings.metricsListen)", "port": "\(listener.port)"])
        return Watch(page: page, listener: listener)
    }

    /// Where metrics and health are served; nil for nowhere.
    package var metricsPort: UInt16? { watch?.listener.port }
    /// For those who have more to tell of the store; nil where nobody asks.
    package var metrics: PrometheusMetrics? { watch?.page.metrics }

    private static func limits(
        _ settings: RelaySettings, _ descriptors: Int?, _ logger: Logger
    ) -> RelayLimits {
        var limits = RelayLimits()
        limits.idleTime = settings.idleTime.map { .seconds($0) }
        limits.connections = settings.connections
        limits.connectionsPerAddress = settings.connectionsPerAddress
        let serving = settings.serving
        limits.threads = serving.threads ?? RelayLimits.usualThreads
        limits.drainDelay = .seconds(serving.drainDelay)
        limits.stopTime = .seconds(serving.stopTime)
        limits.rates = serving.rates
        limits.ratesPerAddress = serving.ratesPerAddress
        let wanted = limits
        if let descriptors { limits.fit(descriptors: descriptors) }
        if limits != wanted {
            logger.warning(
                "accepting fewer connections: the limit on open files is too low",
                metadata: [
                    "connections": "\(limits.connections)", "descriptors": "\(descriptors ?? 0)",
                    "needed": "\(wanted.descriptors)",
                ])
        }
        return limits
    }

    private static func configuration(
        _ contents: RelayFolder.Contents, _ limits: RelayLimits
    ) -> RelayConfiguration {
        let settings = contents.settings
        var configuration = RelayConfiguration(
            hosts: settings.hosts, listen: settings.listen, port: settings.port,
            identity: contents.identity, webIdentity: contents.webIdentity, password: settings.password,
            acceptsNewFiles: settings.acceptsNewFiles, limits: limits)
        configuration.proxies = settings.serving.proxies
        configuration.logsAddresses = settings.serving.logsAddresses
        return configuration
    }

    private func open(_ group: any EventLoopGroup) async throws {
        let socket = try await ControlSocket.open(folder.path(of: .control), group: group) {
            [weak self] request in
            self?.answer(request)
                ?? .failure(code: FailureCode.notFound.rawValue, message: "the relay has stopped")
        }
        control.withLock { $0 = socket }
    }

    /// How long ``stop()`` may take, with a margin for what the store has to keep.
    package var longestStop: Duration { server.longestStop + .seconds(30) }

    /// Ends gracefully, see ``RelayServer/stop()``. ``keepHouse()`` has to have ended before.
    package func stop() async {
        watch?.page.health.drain()
        await control.withLock { $0 }?.close()
        await server.stop()
        await watch?.listener.stop()
    }

    static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await BlockingExecutor.shared.run(body)
    }
}
