import FaultInjection
import Foundation
import NIOCore
import NIOPosix
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseTLS
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// New certificates while a relay runs.
@Suite(.timeLimit(.minutes(2)))
struct CertificateReloadTests {
    /// The certificate that a new connection is shown.
    private static func leaf(_ relay: FolderRelay) async throws -> [UInt8] {
        let settings = TLSClientSettings(fingerprint: relay.address.fingerprint) { Int64(time(nil)) }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let handshake = loop.makePromise(of: TLSHandshakeCompleted.self)
        let channel = try await ClientBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    TLSChannelHandler(client: settings, handshake: handshake))
            }
        }.connect(host: "127.0.0.1", port: Int(relay.server.port)).get()
        let shown = try await handshake.futureResult.get().peerChain
        try? await channel.close()
        return try #require(shown.first)
    }

    private static func failure(_ reply: ControlReply) -> String? {
        if case .failure(let code, _) = reply { code } else { nil }
    }

    @Test func `new connections get a new certificate, and those that are open go on`() async throws {
        try await FolderRelayTests.withRelay { relay, folder in
            let first = try await Self.leaf(relay)
            try await withConnection(to: relay.address) { connection in
                let chunk = try await TestChunk.stored(on: connection)
                try folder.renewCertificate(now: Int64(time(nil)) - 60)
                #expect(try await Self.leaf(relay) == first, "nobody has asked for it yet")
                #expect(Self.failure(try await FolderRelayTests.ask(.reload, folder)) == nil)
                #expect(try await Self.leaf(relay) != first)
                #expect(try await chunk.comesBack(connection))
                try await withConnection(to: relay.address) { next in
                    let isBack = try await chunk.comesBack(next)
                    #expect(isBack)
                }
            }
        }
    }

    @Test func `requests by a signal do the same`() async throws {
        try await FolderRelayTests.withRelay { relay, folder in
            let first = try await Self.leaf(relay)
            try folder.renewCertificate(now: Int64(time(nil)) - 60)
            let (requests, requested) = AsyncStream<Void>.makeStream()
            async let reloading: Void = relay.reload(at: requests)
            requested.yield()
            requested.finish()
            await reloading
            #expect(try await Self.leaf(relay) != first)
        }
    }

    @Test func `certificates that are damaged or of another relay change nothing`() async throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let other = RelayFolder(parent.appending("other"))
        try other.initialize(
            RelaySettings(
                hosts: [.ipv4("127.0.0.1")], listen: "127.0.0.1", port: 0, files: other.path(of: .files)),
            .ed25519, now: Int64(time(nil)) - 60)
        try await FolderRelayTests.withRelay { relay, folder in
            let first = try await Self.leaf(relay)
            func replace(_ names: [RelayFolder.Name]) throws {
                for name in names {
                    let bytes = try FileSystem().contents(of: other.path(of: name), limit: 1 << 20)
                    try FileSystem().replace(folder.path(of: name), with: bytes)
                }
            }
            // A certificate without its key, then with it but of another identity, then a relay in itself.
            for names in [[.certificate], [.key], [.authorityCertificate, .fingerprint]]
                as [[RelayFolder.Name]]
            {
                try replace(names)
                let code = Self.failure(try await FolderRelayTests.ask(.reload, folder))
                #expect(code != nil, "\(names)")
                if names.count == 2 { #expect(code == "invalid") }
                #expect(try await Self.leaf(relay) == first)
            }
            try FileSystem().replace(folder.path(of: .certificate), with: Array("nothing".utf8))
            #expect(Self.failure(try await FolderRelayTests.ask(.reload, folder)) != nil)
            #expect(try await Self.leaf(relay) == first)
        }
        withExtendedLifetime(parent) {}
    }
}
