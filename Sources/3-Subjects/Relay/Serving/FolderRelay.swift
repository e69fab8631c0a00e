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
    /// How often counters are looked after, in seconds.
    private static let interval = 60

    package let server: RelayServer
    package let store: ChunkStore
    /// What clients connect to.
    package var address: XFTPAddress { server.address }

    private let folder: RelayFolder
    private let settings: RelaySettings
    private let version: String
    private let started: Int64
    private let log: Logger
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
    /// - Throws: as ``RelayFolder/contents()``, the store and ``RelayServer``.
    package static func start(
        _ folder: RelayFolder, group: any EventLoopGroup, logger: Logger, version: String,
        descriptors: Int? = nil
    ) async throws -> FolderRelay {
        let contents = try await blocking { try folder.contents() }
        for line in contents.settings.ignored {
            logger.warning("ignoring a setting that has no effect here", metadata: ["setting": "\(line)"])
        }
        if contents.keepsAuthorityKey {
            logger.warning(
                "the identity key (ca.key) is still in the relay folder. Move it to offline storage.")
        }
        let store = try await blocking { try ChunkStore(folder.storeSettings(contents.settings)) }
        report(store.startReport, logger)
        let configuration = Self.configuration(
            contents, Self.limits(contents.settings, descriptors, logger))
        let server = try await RelayServer.start(
            configuration, store: store, group: group, logger: logger)
        let relay = FolderRelay(folder, contents.settings, store, server, logger, version)
        do {
            try await relay.open(group)
        } catch {
            await server.stop()
            throw error
        }
        return relay
    }

    private init(
        _ folder: RelayFolder, _ settings: RelaySettings, _ store: ChunkStore, _ server: RelayServer,
        _ log: Logger, _ version: String
    ) {
        self.folder = folder
        self.settings = settings
        self.store = store
        self.server = server
        self.log = log
        self.version = version
        started = store.rules.clock()
    }

    private static func limits(
        _ settings: RelaySettings, _ descriptors: Int?, _ logger: Logger
    ) -> RelayLimits {
        var limits = RelayLimits()
        limits.idleTime = settings.idleTime.map { .seconds($0) }
        limits.connections = settings.connections
        limits.connectionsPerAddress = settings.connectionsPerAddress
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
        return RelayConfiguration(
            hosts: settings.hosts, listen: settings.listen, port: settings.port,
            identity: contents.identity, webIdentity: contents.webIdentity, password: settings.password,
            acceptsNewFiles: settings.acceptsNewFiles, limits: limits)
    }

    private func open(_ group: any EventLoopGroup) async throws {
        let socket = try await ControlSocket.open(folder.path(of: .control), group: group) {
            [weak self] request in
            self?.answer(request)
                ?? .failure(code: FailureCode.notFound.rawValue, message: "the relay has stopped")
        }
        control.withLock { $0 = socket }
    }

    /// Ends gracefully, see ``RelayServer/stop()``. ``keepHouse()`` has to have ended before.
    package func stop() async {
        await control.withLock { $0 }?.close()
        await server.stop()
    }

    // MARK: Operator

    private func answer(_ request: ControlRequest) -> ControlReply {
        do {
            switch request {
            case .status: return .status(try status())
            case .find(let recipient):
                try store.find(recipient: Self.name(recipient))
                return .done
            case .delete(let recipient): try store.deleteByRecipient(Self.name(recipient))
            case .block(let recipient, let reason):
                guard let information = BlockingInfo(text: reason) else {
                    throw XFTPRelayError(
                        .invalid, "the reason must be 'reason=spam' or 'reason=content'", subject: reason)
                }
                try store.block(Self.name(recipient), information)
            case .stop: stopRequest.set()
            }
            log.notice("completed an operator request", metadata: ["request": "\(request)"])
            return .done
        } catch {
            let failure = error as? any Failure
            return .failure(
                code: (failure?.code ?? .failed).rawValue, message: failure?.description ?? "\(error)")
        }
    }

    private static func name(_ text: String) throws -> EntityID {
        guard let bytes = Base64URL.decode(text), let id = EntityID(bytes) else {
            throw XFTPRelayError(.invalid, "not a recipient ID", subject: text)
        }
        return id
    }

    /// How the relay is at this moment.
    /// - Throws: ``XFTPStoreError``.
    package func status() throws -> RelayStatus {
        RelayStatus(
            address: server.address.text, port: Int(server.port), version: version, started: started,
            process: ProcessIdentity.current, acceptsNewFiles: settings.acceptsNewFiles,
            needsPassword: settings.password != nil, lifetime: store.rules.lifetime, usage: try store.usage,
            statistics: try store.statistics, connections: server.counters)
    }

    // MARK: Housekeeping

    /// Looks after the counters, the metrics and the store's log now and then, until its task is cancelled. What is under way
    /// then is done first.
    package func keepHouse() async {
        let pause = Duration.seconds(min(settings.prometheusInterval ?? Self.interval, Self.interval))
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: pause)
            } catch {
                // Only cancellation ends a pause early.
                return
            }
            await lookAfterStore()
        }
    }

    private func lookAfterStore() async {
        do {
            try await Self.blocking { [self] in
                if let line = try store.endDay(), settings.logsStatistics { try appendDay(line) }
                if settings.prometheusInterval != nil { try writeMetrics() }
                try store.compactWhereWorthwhile()
            }
        } catch {
            log.error("maintenance of the counters or the store log failed", metadata: ["error": "\(error)"])
        }
    }

    private func appendDay(_ line: String) throws {
        var file = try folder.fileSystem.openOrCreate(folder.path(of: .dailyStatistics))
        try file.seek(to: try file.size())
        try file.write(Array((line + "\n").utf8))
        try file.synchronize()
        try file.close()
    }

    private func writeMetrics() throws {
        let text = try store.statistics.prometheusText(now: store.rules.clock() * 1000, version: version)
        try folder.fileSystem.replace(folder.path(of: .metrics), with: Array(text.utf8))
    }

    private static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await BlockingExecutor.shared.run(body)
    }

    // MARK: Log

    private static func report(_ report: StoreStartReport, _ log: Logger) {
        log.info(
            "store opened",
            metadata: [
                "lines": "\(report.lineCount)", "removedBodies": "\(report.removedBodies)",
                "removedPartials": "\(report.removedPartials)",
            ])
        for line in report.badLines {
            log.error(
                "skipped a line of the store log: \(line.reason)",
                metadata: ["line": "\(line.number)"])
        }
        if report.badLineCount > report.badLines.count {
            log.error("skipped more lines of the store log", metadata: ["count": "\(report.badLineCount)"])
        }
        if report.droppedTornLine {
            log.warning("dropped the incomplete last line of the store log")
        }
        if let path = report.interruptedStart {
            log.warning(
                "repaired an interrupted start of the official relay", metadata: ["kept": "\(path)"])
        }
        if let failure = report.compactionFailure {
            log.error("compacting the store log failed", metadata: ["error": "\(failure)"])
        }
        if let failure = report.removalFailure {
            log.error("cannot remove a file", metadata: ["error": "\(failure)"])
        }
        for (count, text) in [
            (report.missingBodies, "chunk bodies are missing: their chunks can be uploaded again"),
            (report.unknownBodies, "chunk bodies are not in the store log: they are kept until they are old"),
            (report.foreignEntries, "the chunk body folder has other files"),
        ] where count > 0 {
            log.warning("\(text)", metadata: ["count": "\(count)"])
        }
    }
}
