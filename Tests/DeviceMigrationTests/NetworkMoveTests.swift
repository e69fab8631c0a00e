import Accounts
import ByteCoding
import Certificates
import DeviceMigration
import FaultInjection
import FileTransfers
import Files
import Logging
import NIOPosix
import SystemPackage
import TLSChannel
import Testing
import XFTPRelay
import XFTPStore
import XFTPWire

/// Over a relay of our own on a free port of this machine.
@Suite(.serialized) struct NetworkMoveTests {
    private struct Relay {
        let server: RelayServer
        let store: ChunkStore

        init(_ folder: FilePath) async throws {
            store = try ChunkStore(
                ChunkStoreSettings(
                    folder: folder.appending("files"), log: folder.appending("log"), quota: nil,
                    clock: UTCTime.clock))
            var logger = Logger(label: "relay")
            logger.logLevel = .critical
            let now = UTCTime.clock() - 10 * 86_400
            let authority = try CertificateAuthority.make(.ed448, now: now)
            let key = try SigningKey.generate(.ed448)
            let leaf = try authority.issue(commonName: "localhost", for: key, now: now, days: 999)
            server = try await RelayServer.start(
                RelayConfiguration(
                    hosts: [.ipv4("127.0.0.1")], listen: "127.0.0.1", port: 0,
                    identity: TLSIdentity(chain: [leaf, authority.certificate], key: key), password: nil,
                    limits: RelayLimits()),
                store: store, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        }
    }

    private func move(_ bench: MoveBench, _ network: RelayNetwork, _ home: String) -> AccountMove {
        let home = bench.path.appending(home)
        return AccountMove(
            transfers: FileTransfers(relays: network, states: home.appending("uploads")),
            store: home.appending("moves"))
    }

    @Test("An account moves over the network, and the relay is empty afterwards")
    func whole() async throws {
        let bench = try MoveBench()
        let relay = try await Relay(bench.path.appending("relay"))
        let network = RelayNetwork()
        do {
            let sender = move(bench, network, "a")
            let options = SendOptions(.relays([RelayAccess(relay.server.address)]))
            let sent = try await sender.send(bench.old, passphrase: MoveBench.secret(), options)
            #expect(relay.store.usage.usedSpace > 0)
            let received = try await move(bench, network, "b").receive(
                sent.source, to: bench.new, ReceiveOptions(approval: .all), MoveBench.questions())
            #expect(received.words == sent.words)
            _ = try await sender.finish(bench.old, words: received.words)
            #expect(relay.store.usage.usedSpace == 0)
            let areEqual = try FileSystem().exists(bench.new.path(of: .agent))
            #expect(areEqual)
        } catch {
            await network.close()
            await relay.server.stop()
            throw error
        }
        await network.close()
        await relay.server.stop()
    }
}
