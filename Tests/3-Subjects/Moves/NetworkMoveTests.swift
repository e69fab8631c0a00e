import FaultInjection
import Logging
import NIOPosix
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseMoves
import ValiseRelay
import ValiseTLS
import ValiseTransfers
import ValiseXFTPWire

/// Over a relay on a free port of this machine: our own, or one as strict as the official one.
@Suite(.serialized) struct NetworkMoveTests {
    private enum Relay {
        case own(RelayServer, ChunkStore)
        case strict(StrictRelay)

        var address: XFTPAddress {
            get throws {
                switch self {
                case .own(let server, _): server.address
                case .strict(let relay): try XFTPAddress(relay.address)
                }
            }
        }

        /// How many contents of chunks it has.
        var contents: Int {
            get throws {
                switch self {
                case .own(_, let store): try store.usage.uploaded
                case .strict(let relay): try relay.contentCount()
                }
            }
        }

        func stop() async {
            switch self {
            case .own(let server, _): await server.stop()
            case .strict(let relay): relay.stop()
            }
        }

        init(_ folder: FilePath) async throws {
            let store = try ChunkStore(
                ChunkStoreSettings(
                    folder: folder.appending("files"), log: folder.appending("log"), quota: nil,
                    clock: UTCTime.clock))
            var logger = Logger(label: "relay")
            logger.logLevel = .critical
            let now = UTCTime.clock() - 10 * 86_400
            let authority = try CertificateAuthority.make(.ed448, now: now)
            let key = try SigningKey.generate(.ed448)
            let leaf = try authority.issue(commonName: "localhost", for: key, now: now, days: 999)
            let server = try await RelayServer.start(
                RelayConfiguration(
                    hosts: [.ipv4("127.0.0.1")], listen: "127.0.0.1", port: 0,
                    identity: TLSIdentity(chain: [leaf, authority.certificate], key: key), password: nil,
                    limits: RelayLimits()),
                store: store, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
            self = .own(server, store)
        }
    }

    private func move(_ bench: MoveBench, _ network: RelayNetwork, _ home: String) -> AccountMove {
        let home = bench.path.appending(home)
        return AccountMove(
            transfers: FileTransfers(relays: network, states: home.appending("uploads")),
            store: home.appending("moves"))
    }

    @Test(
        "An account moves over the network, and the relay is empty afterwards",
        arguments: StrictRelay.isAvailable ? [false, true] : [false])
    func whole(isStrict: Bool) async throws {
        let bench = try MoveBench()
        let relay =
            if isStrict { Relay.strict(try StrictRelay()) } else {
                try await Relay(bench.path.appending("relay"))
            }
        let network = RelayNetwork()
        do {
            let sender = move(bench, network, "a")
            let options = SendOptions(.relays([RelayAccess(try relay.address)]))
            let sent = try await sender.send(bench.old, passphrase: MoveBench.secret(), options)
            #expect(try relay.contents > 0)
            let received = try await move(bench, network, "b").receive(
                sent.source, to: bench.new, ReceiveOptions(approval: .all), MoveBench.questions())
            #expect(received.words == sent.words)
            _ = try await sender.finish(bench.old, words: received.words)
            #expect(try relay.contents == 0)
            let areEqual = try FileSystem().exists(bench.new.path(of: .agent))
            #expect(areEqual)
        } catch {
            await network.close()
            await relay.stop()
            throw error
        }
        await network.close()
        await relay.stop()
    }
}
