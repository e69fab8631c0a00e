import FaultInjection
import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import ValiseEncoding
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// A log tells nobody who fetched what, and gives nobody a name to fetch by.
@Suite(.timeLimit(.minutes(2)))
struct LogHygieneTests {
    private static func expectNoNames(_ names: [EntityID], in lines: [String]) {
        for name in names {
            let texts = [Base64URL.encode(name.bytes).filter { $0 != "=" }, Hexadecimal.encode(name.bytes)]
            for text in texts { #expect(!lines.contains { $0.contains(text) }, "\(lines)") }
        }
    }

    /// Begins TLS with something else.
    private static func talkNonsense(_ port: UInt16) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: Int(port)).get()
        try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.0\r\n\r\n"))
        try await channel.closeFuture.get()
    }

    @Test(arguments: [false, true])
    func `no line has a name or a body's path, nor an address unless the operator wants them`(
        wantsAddresses: Bool
    ) async throws {
        let lines = CapturedLog.Lines()
        var options = RunningRelay.Options()
        options.logger = Logger(label: "test") { _ in CapturedLog(lines, level: .debug) }
        // Its own address is in the log. Clients have another one.
        options.listen = "0.0.0.0"
        options.expiryInterval = .milliseconds(100)
        options.configure = { $0.logsAddresses = wantsAddresses }
        try await RunningRelay.with(options) { relay in
            let address = relay.server.address.onLoopback
            var names: [EntityID] = []
            try await withConnection(to: address) { connection in
                let chunk = try await TestChunk.stored(on: connection, recipients: 2)
                #expect(try await chunk.comesBack(connection))
                names += chunk.recipients + [chunk.sender]
                _ = await failure {
                    try await connection.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[1])
                }
                try relay.replaceBodiesByFolders()
                _ = await failure { _ = try await chunk.download(connection, 1) }
            }
            try await Self.talkNonsense(relay.server.port)
            relay.clockOffset.advance(by: 100 * 3600)
            let expected = [
                "the relay could not complete", "cannot remove expired chunks", "accepted", "refused",
                "TLS handshake failed",
            ]
            try await eventually {
                expected.allSatisfy { text in lines.all.contains { $0.contains(text) } }
            }
            Self.expectNoNames(names, in: lines.all)
            #expect(lines.all.contains { $0.contains("127.0.0.1") } == wantsAddresses, "\(lines.all)")
            #expect(lines.all.contains { $0.contains("<name>") })
        }
    }

    @Test func `what the operator asks for is in the log, but not of which chunk`() async throws {
        let lines = CapturedLog.Lines()
        let logger = Logger(label: "test") { _ in CapturedLog(lines, level: .debug) }
        try await FolderRelayTests.withRelay(logger) { relay, folder in
            let key = PublicKey(.ed25519, [UInt8](repeating: 1, count: 32))
            var names: [EntityID] = []
            func ask(_ request: (String) -> ControlRequest) async throws {
                let made = try relay.store.create(
                    senderKey: key, size: 65_536, digest: [UInt8](repeating: 0, count: 32), recipients: [key])
                names += made.recipients + [made.sender]
                _ = try await FolderRelayTests.ask(
                    request(Base64URL.encode(made.recipients[0].bytes)), folder)
            }
            try await ask { .delete(recipient: $0) }
            try await ask { .block(recipient: $0, reason: "reason=spam") }
            try await ask { .find(recipient: $0) }
            #expect(lines.all.contains { $0.contains("delete") })
            #expect(lines.all.contains { $0.contains("block") })
            Self.expectNoNames(names, in: lines.all)
        }
    }

    @Test(arguments: [
        ("/srv/files/MDEyMzQ1Njc4OWFiY2RlZg==: cannot read", "/srv/files/<name>: cannot read"),
        ("chunks/MDEyMzQ1Njc4OWFiY2RlZjEyMzQ1Njc4 is gone", "chunks/<name> is gone"),
        ("\\x30313233343536373839616263646566", "\\<name>"), ("MDEyMzQ1Njc4OWFiY2RlZg", "<name>"),
        ("MDEyMzQ1Njc4OWFiY2RlZg==.part", "<name>.part"),
        ("no space left on the disk, /srv/relay=1", "no space left on the disk, /srv/relay=1"), ("", ""),
    ])
    func `names are known by their length`(text: String, expected: String) {
        #expect(LogText.withoutNames(text) == expected)
    }
}
