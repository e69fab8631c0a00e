import FaultInjection
import Logging
import NIOPosix
import ValiseCryptography
import ValiseEncoding
import ValiseRelay
import ValiseTLS
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// Relays of this process on free ports of this machine, and the network to them.
struct OwnRelays {
    let servers: [RelayServer]
    let stores: [ChunkStore]
    let relays: RelayNetwork
    private let folder: TemporaryFolder

    init(
        _ count: Int, password: String? = nil, quota: Int64? = nil, limits: RelayLimits = RelayLimits(),
        days: Int32 = 999_999,
        at clock: @escaping @Sendable () -> Int64 = {
            UTCTime.clock()
        }
    ) async throws {
        folder = try TemporaryFolder("valise-relays", inMemory: true)
        var servers: [RelayServer] = []
        var stores: [ChunkStore] = []
        for number in 0..<count {
            let store = try ChunkStore(
                ChunkStoreSettings(
                    folder: folder.appending("\(number)/files"), log: folder.appending("\(number)/log"),
                    quota: quota,
                    clock: clock))
            var logger = Logger(label: "relay")
            logger.logLevel = .critical
            servers.append(
                try await RelayServer.start(
                    RelayConfiguration(
                        hosts: [.ipv4("127.0.0.1")], listen: "127.0.0.1", port: 0,
                        identity: Self.identity(days: days),
                        password: password.map { RelayPassword($0) }, limits: limits),
                    store: store, group: MultiThreadedEventLoopGroup.singleton, logger: logger))
            stores.append(store)
        }
        (self.servers, self.stores) = (servers, stores)
        relays = RelayNetwork()
    }

    /// - Parameter days: how long the certificate is valid, from ten days ago.
    private static func identity(days: Int32) throws -> TLSIdentity {
        let now = UTCTime.clock() - 10 * 86_400
        let authority = try CertificateAuthority.make(.ed448, now: now)
        let key = try SigningKey.generate(.ed448)
        let leaf = try authority.issue(commonName: "localhost", for: key, now: now, days: days)
        return try TLSIdentity(chain: [leaf, authority.certificate], key: key)
    }

    static func with(
        _ count: Int = 1, password: String? = nil, quota: Int64? = nil, limits: RelayLimits = RelayLimits(),
        days: Int32 = 999_999,
        at clock: @escaping @Sendable () -> Int64 = UTCTime.clock,
        _ body: (OwnRelays) async throws -> Void
    ) async throws {
        let network = try await OwnRelays(
            count, password: password, quota: quota, limits: limits, days: days, at: clock)
        do {
            try await body(network)
        } catch {
            await network.close()
            throw error
        }
        await network.close()
    }

    private func close() async {
        await relays.close()
        for server in servers { await server.stop() }
    }

    var accesses: [RelayAccess] { servers.map { RelayAccess($0.address) } }
}
