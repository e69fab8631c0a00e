import FaultInjection
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseTLS
import ValiseXFTPWire

@testable import ValiseRelay

/// A relay on a free port of this machine, with what it keeps in memory.
final class RunningRelay {
    let server: RelayServer
    let store: ChunkStore
    private let group: MultiThreadedEventLoopGroup
    private let folder: TemporaryFolder

    /// Seconds since 1970 that the store takes for now, beside the real ones.
    let clockOffset: ClockOffset

    final class ClockOffset: Sendable {
        private let seconds = Atomic<Int64>(0)
        private let gate = NSCondition()
        private let state = Mutex((isHeld: false, waiting: 0))

        func advance(by seconds: Int64) { self.seconds.add(seconds, ordering: .relaxed) }

        var now: Int64 {
            gate.lock()
            state.withLock { $0.waiting += 1 }
            while state.withLock({ $0.isHeld }) { gate.wait() }
            state.withLock { $0.waiting -= 1 }
            gate.unlock()
            return Int64(time(nil)) + seconds.load(ordering: .relaxed)
        }

        /// From now on every thread of the relay stops that asks for the time, as if the disk did not answer.
        func hold() { state.withLock { $0.isHeld = true } }

        func proceed() {
            gate.lock()
            state.withLock { $0.isHeld = false }
            gate.broadcast()
            gate.unlock()
        }

        /// How many threads stopped.
        var waiting: Int { state.withLock { $0.waiting } }
    }

    struct Options {
        var algorithm = SigningAlgorithm.ed25519
        var hasWebIdentity = false
        var quota: Int64?
        var password: String?
        var acceptsNewFiles = true
        var expiryInterval = Duration.seconds(7200)
        var limits = RelayLimits()
        var listen = "127.0.0.1"
        /// Nil for the usual one.
        var mostLogGrowth: Int64?
        /// Changes what all else here says.
        var configure: (inout RelayConfiguration) -> Void = { _ in }
        /// Nil for one as `VALISE_RELAY_LOG` says.
        var logger: Logger?
        /// Opens what the relay keeps.
        var makeStore: (ChunkStoreSettings) throws -> ChunkStore = { try ChunkStore($0) }
    }

    static func identity(_ algorithm: SigningAlgorithm) throws -> TLSIdentity {
        let now = Int64(time(nil)) - 60
        let authority = try CertificateAuthority.make(algorithm, now: now)
        let key = try SigningKey.generate(algorithm)
        let leaf = try authority.issue(commonName: "localhost", for: key, now: now)
        return try TLSIdentity(chain: [leaf, authority.certificate], key: key)
    }

    init(_ options: Options = Options()) async throws {
        let offset = ClockOffset()
        clockOffset = offset
        folder = try TemporaryFolder("valise-relay", inMemory: true)
        var settings = ChunkStoreSettings(
            folder: folder.appending("files"), log: folder.appending("log/store.log"), quota: options.quota,
            clock: { offset.now })
        settings.mostLogGrowth = options.mostLogGrowth ?? settings.mostLogGrowth
        settings.hardLogGrowth = 2 * settings.mostLogGrowth
        store = try options.makeStore(settings)
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = RelayConfiguration(
            hosts: [.domain("localhost")], listen: options.listen, port: 0,
            identity: try Self.identity(options.algorithm),
            webIdentity: options.hasWebIdentity ? try Self.identity(.ed25519) : nil,
            password: options.password.map { RelayPassword($0) }, acceptsNewFiles: options.acceptsNewFiles,
            expiryInterval: options.expiryInterval, limits: options.limits)
        options.configure(&configuration)
        var logger = Logger(label: "relay")
        logger.logLevel =
            ProcessInfo.processInfo.environment["VALISE_RELAY_LOG"].flatMap { Logger.Level(rawValue: $0) }
            ?? .critical
        server = try await RelayServer.start(
            configuration, store: store, group: group, logger: options.logger ?? logger)
    }

    /// Looks at every connection on its event loop.
    func eachConnection<Result: Sendable>(
        _ look: @escaping @Sendable (ServedConnection) -> Result
    ) async throws -> [Result] {
        var results: [Result] = []
        for channel in server.registry.all {
            results.append(
                try await channel.eventLoop.submit {
                    look(try channel.pipeline.syncOperations.handler(type: ServedConnection.self))
                }.get())
        }
        return results
    }

    /// Bodies that this process has open; nil where the system does not tell.
    var openBodies: Int? {
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors?.count { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)")
            return path?.hasPrefix(folder.appending("files").string + "/") == true
        }
    }

    /// So that they cannot be read, by an administrator neither.
    func replaceBodiesByFolders() throws {
        let files = folder.appending("files").string
        let entries = try #require(FileManager.default.enumerator(atPath: files)).compactMap { $0 as? String }
        for name in entries {
            var isFolder: ObjCBool = false
            let path = "\(files)/\(name)"
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    func stop() async {
        await server.stop()
        try? await group.shutdownGracefully()
    }

    /// Runs a relay for as long as a test needs it.
    static func with(
        _ options: Options = Options(), _ body: (RunningRelay) async throws -> Void
    ) async throws {
        let relay = try await RunningRelay(options)
        do {
            try await body(relay)
        } catch {
            await relay.stop()
            throw error
        }
        await relay.stop()
    }
}
