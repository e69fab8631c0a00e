import FaultInjection
import Logging
import NIOCore
import Synchronization
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// What clients get while a database or a storage server does not answer. All but `TIMEOUT` and the end of a connection would be final
/// for them (XFTP fact sheet, §8.3).
@Suite(.timeLimit(.minutes(5)))
struct OutageTests {
    private struct Bench {
        let relay: RunningRelay
        let reach: StorageInReach
        let lines: CapturedLog.Lines
    }

    private static func with(_ body: (Bench) async throws -> Void) async throws {
        let (reach, lines) = (StorageInReach(), CapturedLog.Lines())
        var options = RunningRelay.Options()
        options.logger = Logger(label: "test") { _ in CapturedLog(lines) }
        options.makeStore = { settings in
            try FileSystem().makeDirectories(settings.folder)
            let folder = ChunkFolder(settings.folder)
            let records = try EmbeddedRecords(settings, folder, locks: [])
            return ChunkStore(
                RecordsInReach(records: records, reach: reach), BytesInReach(bytes: folder, reach: reach),
                settings.rules)
        }
        try await RunningRelay.with(options) { relay in
            try await body(Bench(relay: relay, reach: reach, lines: lines))
        }
    }

    private static func failure(of body: () async throws -> Void) async -> XFTPClientError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? XFTPClientError
        }
    }

    @Test func `every command that needs what is out of reach is answered with TIMEOUT`() async throws {
        try await Self.with { bench in
            // A client gives a connection up on which an upload was refused.
            func kind(of command: (RelayConnection) async throws -> Void) async throws -> XFTPClientError
                .Kind?
            {
                try await withConnection(to: bench.relay.server.address.onLoopback) { connection in
                    await Self.failure { try await command(connection) }?.kind
                }
            }
            let (chunk, announced) = try await withConnection(to: bench.relay.server.address.onLoopback) {
                (
                    try await TestChunk.stored(on: $0, recipients: 2),
                    try await TestChunk.created(on: $0, seed: 2)
                )
            }
            let seed = try SecretSeed()
            let download: (RelayConnection) async throws -> Void = { _ = try await chunk.download($0) }
            let upload: (RelayConnection) async throws -> Void = { try await announced.upload($0) }
            bench.reach.current.bytes = false
            for command in [download, upload] {
                let found = try await kind(of: command)
                #expect(found == .refused(.timeout))
            }
            bench.reach.current.records = false
            let commands: [(RelayConnection) async throws -> Void] = [
                download, upload,
                { _ = try await TestChunk.created(on: $0, seed: 3) },
                {
                    _ = try await $0.addRecipients([seed.publicKey], to: chunk.sender, key: chunk.senderKey)
                },
                { try await $0.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[0]) },
                { try await $0.delete(chunk.sender, key: chunk.senderKey) },
            ]
            for (number, command) in commands.enumerated() {
                let found = try await kind(of: command)
                #expect(found == .refused(.timeout), "command \(number)")
            }
            let ping = try await kind { try await $0.ping() }
            #expect(ping == nil)
            bench.reach.current = .init()
            try await withConnection(to: bench.relay.server.address.onLoopback) { connection in
                #expect(try await chunk.comesBack(connection, 1))
                try await announced.upload(connection)
                #expect(try await announced.comesBack(connection))
            }
            #expect(bench.lines.all.contains { $0.contains("no answer from the test's server") })
            #expect(try bench.relay.store.usage.uploaded == 2)
        }
    }

    @Test func `an outage in the middle of an upload is answered with TIMEOUT, and leaves nothing`()
        async throws
    {
        try await Self.with { bench in
            try await withConnection(to: bench.relay.server.address.onLoopback) { connection in
                let chunk = try await TestChunk.created(on: connection, size: 1_048_576)
                let content = chunk.content
                let error = await Self.failure {
                    try await connection.upload(chunk.sender, key: chunk.senderKey, size: content.count) {
                        if $0 > 0 { bench.reach.current.bytes = false }
                        return ByteBuffer(bytes: content[$0..<min($0 + 65_536, content.count)])
                    }
                }
                #expect(error?.kind == .refused(.timeout))
                #expect(try bench.relay.store.usage.reservedSpace == 0)
                bench.reach.current = .init()
            }
            // A refused upload may have ended the connection.
            #expect(bench.relay.openBodies ?? 0 == 0)
        }
    }

    @Test(arguments: [true, false])
    func `an outage in the middle of a download ends the connection, damage its stream only`(
        isOutage: Bool
    ) async throws {
        try await Self.with { bench in
            try await withConnection(to: bench.relay.server.address.onLoopback) { connection in
                let chunk = try await TestChunk.stored(on: connection, size: 4_194_304)
                let isCut = await Self.failure {
                    try await connection.download(
                        chunk.recipients[0], key: chunk.recipientKeys[0], size: chunk.content.count,
                        digest: chunk.digest
                    ) { _, _ in
                        if isOutage {
                            bench.reach.current.bytes = false
                        } else {
                            bench.reach.current.isDamaged = true
                        }
                    }
                }
                #expect(isCut?.kind == .connectionLost)
                let ping = await Self.failure { try await connection.ping() }
                #expect((ping == nil) == !isOutage)
                bench.reach.current = .init()
                try await withConnection(to: bench.relay.server.address.onLoopback) { next in
                    let isBack = try await chunk.comesBack(next)
                    #expect(isBack)
                }
            }
            try await eventually { bench.relay.openBodies ?? 0 == 0 }
        }
    }
}

extension XFTPAddress {
    /// The same relay, where names may not be known.
    var onLoopback: XFTPAddress {
        XFTPAddress(fingerprint: fingerprint, hosts: [.ipv4("127.0.0.1")], port: port)
    }
}
