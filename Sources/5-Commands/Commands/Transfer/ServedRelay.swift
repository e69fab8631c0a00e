import Logging
import NIOPosix
import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRelay
import ValiseTLS
import ValiseTransfers
import ValiseXFTPWire

/// A relay in this process, with an identity and a folder that last as long as it does.
struct ServedRelay {
    private let server: RelayServer
    private let store: ChunkStore
    private let folder: FilePath
    private let password: RelayPassword

    /// What the sender uses, and nobody else: links and descriptions do not have the password, without which nobody
    /// can store anything here.
    var access: RelayAccess { RelayAccess(server.address, password: password) }

    /// Starts it.
    ///
    /// - Parameter quota: the most bytes that it keeps.
    /// - Throws: ``CommandError``; errors of the relay and its store.
    init(_ address: ServeAddress, quota: Int64, _ output: OutputOptions) throws {
        folder = try ServedFolder.make()
        do {
            password = try Self.newPassword()
            store = try ChunkStore(ChunkStoreSettings(folder: folder, log: nil, quota: quota))
            let configuration = RelayConfiguration(
                hosts: [address.host], listen: address.listen, port: address.port,
                identity: try Self.identity(), password: password, limits: .fitted())
            server = try Self.start(configuration, store, output)
        } catch {
            try? FileSystem().removeTree(folder)
            throw error
        }
        output.note("listening on \(address.listen), port \(server.port)")
    }

    /// Starts a relay whose log nobody reads: the command tells what there is to tell.
    static func start(
        _ configuration: RelayConfiguration, _ store: ChunkStore, _ output: OutputOptions
    ) throws -> RelayServer {
        try AsynchronousWork.run(output) { _ in
            try await RelayServer.start(
                configuration, store: store, group: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "relay") { _ in SwiftLogNoOpLogHandler() })
        }
    }

    /// Of 256 random bits.
    static func newPassword() throws -> RelayPassword {
        let words = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return try RelayPassword(checking: words.joined(separator: "-"))
    }

    /// What files may come to as chunks, in bytes: the last chunk of each is larger than what it holds, and for each
    /// recipient its description may be sent too.
    static func quota(_ files: [FilePath], recipients: Int) -> Int64 {
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

    /// Serves until all recipients have told that they received the files, or the user has enough.
    ///
    /// - Throws: ``CommandError``: `gone` where chunks were deleted or expired before, `interrupted`.
    func serve(_ files: [UploadedFile], _ output: OutputOptions) throws {
        output.note(
            "the file is on this machine alone: keep this running until it was received; Control-C stops it, which "
                + "official apps need, as they do not tell that they have it")
        let wereAllReceived: Bool
        do {
            wereAllReceived = try AsynchronousWork.run(output) { [store] _ in
                try await ServedContent(files).areReceived(from: store)
            }
        } catch is Interruption {
            throw CommandError(
                .interrupted,
                "stopped before all recipients had told that they received it; the file is kept nowhere else, send it "
                    + "again to those who do not have it")
        }
        guard wereAllReceived else {
            throw CommandError(
                .gone,
                "the file was deleted or has expired before all recipients had told that they received it; send it "
                    + "again to those who do not have it")
        }
        output.note("all recipients have received the file")
    }

    /// Ends it, and removes what it kept.
    func stop() {
        AsynchronousWork.finish { [server] in await server.stop() }
        try? FileSystem().removeTree(folder)
    }
}
