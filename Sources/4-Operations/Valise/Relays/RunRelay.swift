import CValisePlatform
package import Logging
import NIOCore
import NIOPosix
public import SystemPackage
import ValiseRelay

/// Runs a relay from its folder, until the task is cancelled or its operator asks for the end.
public struct RunRelay: Operation {
    package var folder: FilePath
    package var logger: Logger
    /// Of the program, for those who ask.
    package var version: String
    /// Where the manager of services listens that started this process; nil for none.
    package var serviceSocket: String?
    /// Each element asks it to read its certificates anew; nil where nobody asks so.
    package var reloads: AsyncStream<Void>?
    /// Is told as soon as the relay listens; ends it by throwing.
    package var started: @Sendable (StartedRelay) async throws -> Void = { _ in }

    package init(in folder: FilePath, logger: Logger, version: String) {
        self.folder = folder
        self.logger = logger
        self.version = version
    }

    /// A relay that logs nothing.
    ///
    /// - Parameters:
    ///   - folder: of the relay.
    ///   - version: of the program, for those who ask.
    ///   - started: is called as soon as the relay listens; ends it by throwing.
    public init(
        in folder: FilePath, version: String,
        started: @escaping @Sendable (StartedRelay) async throws -> Void = { _ in }
    ) {
        let logger = Logger(label: "valise-relay") { _ in SwiftLogNoOpLogHandler() }
        self.init(in: folder, logger: logger, version: version)
        self.started = started
    }

    /// What would listen.
    public struct Plan: Sendable {
        /// What clients need.
        public let address: String
        /// 0 for any that is free.
        package let port: Int
        /// Where chunks are kept.
        package let files: FilePath
        /// In bytes; nil for no limit.
        package let quota: Int64?
    }

    /// - Throws: as ``run(in:)`` where the folder has no relay, or one that is damaged.
    public func plan(in context: OperationContext) async throws -> Plan {
        try await context.blocking { _ in
            let relay = try RelayFolder(folder).contents()
            return Plan(
                address: relay.address.text, port: Int(relay.settings.port), files: relay.settings.files,
                quota: relay.settings.quota)
        }
    }

    public func run(in context: OperationContext) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: Int(valise_core_count()))
        do {
            try await run(on: group)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try? await group.shutdownGracefully()
    }

    private func run(on group: MultiThreadedEventLoopGroup) async throws {
        let relay = try await FolderRelay.start(
            RelayFolder(folder), group: group, logger: logger, version: version,
            descriptors: RelayDescriptors.raise())
        try await ServiceRun.run([
            ShutdownService { await relay.stop() }, LoopService { await relay.keepHouse() },
            LoopService { await relay.reload(at: reloads) },
            ShutdownService { notifyStopping(relay.longestStop) },
        ]) {
            try await started(StartedRelay(address: relay.address.text, port: Int(relay.server.port)))
            notify("READY=1")
            await relay.stopRequest.wait()
        }
    }

    /// - Parameter time: that it may take.
    private func notifyStopping(_ time: Duration) {
        let seconds = time.components.seconds
        notify("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)")
    }

    private func notify(_ state: String) {
        if let serviceSocket { ServiceManager.notify(state, socket: serviceSocket) }
    }
}

/// A relay that listens.
public struct StartedRelay: OperationReport {
    package let type = "relayStarted"
    /// What clients need.
    public let address: String
    /// The one it listens on.
    public let port: Int
}
