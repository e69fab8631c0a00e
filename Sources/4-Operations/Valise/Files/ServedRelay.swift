import Logging
import NIOPosix
import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRelay
import ValiseTLS
import ValiseTransfers
import ValiseXFTPWire

/// A relay in this process, with a temporary identity and folder, to transfer between a user's machines without a third
/// party.
struct ServedRelay: Sendable {
    private let server: RelayServer
    private let store: ChunkStore
    private let folder: FilePath
    private let password: RelayPassword

    /// What the sender uses, and nobody else: links and descriptions do not have the password, without which nobody
    /// can store anything here.
    var access: RelayAccess { RelayAccess(server.address, password: password) }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - address: the address at which others reach this machine.
    ///   - files: the files that it will store.
    ///   - recipients: of each file.
    ///   - context: whose folders it uses, and who is told that it listens.
    /// - Throws: ``OperationError``; errors of the relay and its store.
    static func start(
        _ address: ServeAddress, for files: [FilePath], recipients: Int, in context: OperationContext
    ) async throws -> ServedRelay {
        let relay = try await start(address, quota: quota(files, recipients: recipients), context)
        context.note(RelayNote.listening(address.listen, port: relay.server.port))
        return relay
    }

    private static func start(
        _ address: ServeAddress, quota: Int64, _ context: OperationContext
    ) async throws -> ServedRelay {
        let folder = try await BlockingExecutor.shared.run { try ServedFolder.make(context.folders) }
        do {
            let password = try newPassword()
            let store = try await BlockingExecutor.shared.run {
                try ChunkStore(ChunkStoreSettings(folder: folder, log: nil, quota: quota))
            }
            let configuration = RelayConfiguration(
                hosts: [address.host], listen: address.listen, port: address.port,
                identity: try identity(), password: password, limits: .fitted())
            let server = try await start(configuration, store)
            return ServedRelay(server: server, store: store, folder: folder, password: password)
        } catch {
            try? FileSystem().removeTree(folder)
            throw error
        }
    }

    /// Starts a relay whose log nobody reads: the operation tells what there is to tell.
    static func start(_ configuration: RelayConfiguration, _ store: ChunkStore) async throws -> RelayServer {
        try await RelayServer.start(
            configuration, store: store, group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "relay") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Of 256 random bits.
    static func newPassword() throws -> RelayPassword {
        let words = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return try RelayPassword(checking: words.joined(separator: "-"))
    }

    /// What files may come to as chunks, in bytes: the last chunk of each is larger than what it holds, and for each
    /// recipient its description may be sent too.
    private static func quota(_ files: [FilePath], recipients: Int) -> Int64 {
        let mib: Int64 = 1 << 20
        let sizes = files.reduce(Int64(0)) { $0 + size($1) }
        return sizes + sizes / 5 + 16 * mib + Int64(files.count) * (4 * mib + Int64(recipients) * mib / 2)
    }

    /// Whoever sends it tells what is wrong with it.
    private static func size(_ file: FilePath) -> Int64 {
        let fileSystem = FileSystem()
        return (try? fileSystem.attributes(of: fileSystem.resolve(file))?.size) ?? 0
    }

    private static func identity() throws -> TLSIdentity {
        let now = UTCTime.clock() - CertificateAuthority.clockTolerance
        let authority = try CertificateAuthority.make(.ed448, now: now)
        let key = try SigningKey.generate(.ed448)
        let certificate = try authority.issue(commonName: "valise", for: key, now: now)
        return try TLSIdentity(chain: [certificate, authority.certificate], key: key)
    }

    /// Serves until all recipients have confirmed receipt, or the task is cancelled.
    ///
    /// - Throws: ``OperationError``: `gone` where chunks were deleted or expired before, `interrupted`.
    func serve(_ files: [SentFile], in context: OperationContext) async throws {
        context.note(RelayNote.servingFile)
        let content = ServedContent(files.map(\.file))
        do {
            try await ServiceRun.run([ShutdownService { await server.stop() }]) {
                try await wait(for: content, context)
            }
        } catch is CancellationError {
            throw OperationError(
                .interrupted,
                "stopped before all recipients confirmed receipt. The file is stored nowhere else.",
                remedy: .sendFileAgain)
        }
    }

    private func wait(for content: ServedContent, _ context: OperationContext) async throws {
        guard try await content.areReceived(from: store) else {
            throw OperationError(
                .gone,
                "the file was deleted or expired before all recipients confirmed receipt",
                remedy: .sendFileAgain)
        }
        context.note(RelayNote.received)
    }

    /// Stops the relay, even in a cancelled task, and removes its data.
    func stop() async {
        await Task { await server.stop() }.value
        try? FileSystem().removeTree(folder)
    }
}
