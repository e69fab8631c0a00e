import FaultInjection
import Foundation
import Logging
import NIOPosix
import ValiseCryptography
import ValiseRelay
import ValiseTLS
import ValiseXFTPClient
import ValiseXFTPWire

/// Our own relay on a free port of this machine, with what it keeps in memory.
enum OwnRelay {
    static func run(
        _ algorithm: SigningAlgorithm = .ed448, quota: Int64? = nil, password: String? = nil,
        _ body: (XFTPAddress) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder("valise-relay", inMemory: true)
        let store = try ChunkStore(
            ChunkStoreSettings(
                folder: folder.appending("files"), log: folder.appending("store.log"), quota: quota))
        let now = Int64(Date().timeIntervalSince1970) - 60
        let authority = try CertificateAuthority.make(algorithm, now: now)
        let key = try SigningKey.generate(algorithm)
        let leaf = try authority.issue(commonName: "localhost", for: key, now: now)
        let configuration = RelayConfiguration(
            hosts: [.ipv4("127.0.0.1")], listen: "127.0.0.1", port: 0,
            identity: try TLSIdentity(chain: [leaf, authority.certificate], key: key),
            password: password.map(RelayPassword.init))
        var logger = Logger(label: "relay")
        logger.logLevel = .critical
        let server = try await RelayServer.start(
            configuration, store: store, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        do {
            try await body(server.address)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
        withExtendedLifetime(folder) {}
    }
}
