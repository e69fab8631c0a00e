import FaultInjection
import Logging
import NIOPosix
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// A relay that runs from its folder, and its control socket.
struct FolderRelayTests {
    static func withRelay(
        _ logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ change: (inout RelaySettings) -> Void = { _ in },
        _ body: @escaping @Sendable (FolderRelay, RelayFolder) async throws -> Void
    ) async throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = RelayFolder(parent.appending("relay"))
        var settings = RelaySettings(
            hosts: [.ipv4("127.0.0.1")], listen: "127.0.0.1", port: 0, files: folder.path(of: .files),
            quota: 1 << 20)
        settings.logsStatistics = true
        change(&settings)
        try folder.initialize(settings, .ed25519, now: 1_700_000_000)
        let relay = try await FolderRelay.start(
            folder, group: MultiThreadedEventLoopGroup.singleton, logger: logger, version: "1.2")
        do {
            try await body(relay, folder)
        } catch {
            await relay.stop()
            throw error
        }
        await relay.stop()
        #expect(throws: XFTPRelayError.self, "the socket is gone") {
            try ControlClient.ask(.status, at: folder.path(of: .control))
        }
        // The folder is free again.
        try ChunkStore(folder.storeSettings(settings)).close()
        withExtendedLifetime(parent) {}
    }

    /// Blocking calls have threads of their own.
    static func ask(_ request: ControlRequest, _ folder: RelayFolder) async throws -> ControlReply {
        try await NIOThreadPool.singleton.runIfActive {
            try ControlClient.ask(request, at: folder.path(of: .control))
        }
    }

    @Test func `its owner learns how it is`() async throws {
        try await Self.withRelay { relay, folder in
            let attributes = try FileSystem().attributes(of: folder.path(of: .control))
            #expect(attributes?.permissions == .ownerReadWrite)
            #expect(try !FileSystem().exists(folder.path(of: .control).appendingSuffix(".new")))
            guard case .status(let status) = try await Self.ask(.status, folder) else {
                Issue.record("this is no status")
                return
            }
            #expect(status.address == relay.address.text && status.version == "1.2")
            #expect(status.usage.quota == 1 << 20 && status.port == Int(relay.server.port) && status.port > 0)
            #expect(status.acceptsNewFiles && !status.needsPassword && status.lifetime == 172_800)
        }
    }

    @Test func `its housekeeping ends with its task`() async throws {
        try await Self.withRelay { relay, _ in
            let task = Task { await relay.keepHouse() }
            task.cancel()
            await task.value
        }
    }

    @Test func `its owner removes and blocks chunks, and ends it`() async throws {
        try await Self.withRelay { relay, folder in
            let key = PublicKey(.ed25519, [UInt8](repeating: 1, count: 32))
            func chunk() throws -> String {
                let names = try relay.store.create(
                    senderKey: key, size: 65_536, digest: [UInt8](repeating: 0, count: 32), recipients: [key])
                return Base64URL.encode(names.recipients[0].bytes)
            }
            let first = try chunk()
            guard case .done = try await Self.ask(.find(recipient: first), folder) else {
                Issue.record("it was not found")
                return
            }
            #expect(try relay.store.usage.chunks == 1)
            guard case .done = try await Self.ask(.delete(recipient: first), folder) else {
                Issue.record("it was not deleted")
                return
            }
            #expect(try relay.store.usage.chunks == 0)
            for request in [
                ControlRequest.delete(recipient: first), .find(recipient: first), .delete(recipient: "*"),
                .find(recipient: "*"),
                .block(recipient: try chunk(), reason: "reason=rain"),
            ] {
                guard case .failure(let code, _) = try await Self.ask(request, folder) else {
                    Issue.record("\(request) was done")
                    continue
                }
                let isGone = [.delete(recipient: first), .find(recipient: first)].contains(request)
                #expect(code == (isGone ? "notFound" : "invalid"))
            }
            let blocked = try chunk()
            _ = try await Self.ask(.block(recipient: blocked, reason: "reason=spam"), folder)
            let id = try #require(Base64URL.decode(blocked).flatMap { EntityID($0) })
            #expect(try relay.store.recipient(id)?.blocked == BlockingInfo(.spam))
            #expect(!relay.stopRequest.isSet)
            _ = try await Self.ask(.stop, folder)
            #expect(relay.stopRequest.isSet)
        }
    }

    @Test func `what a relay left that was killed while it opened its socket is put away`() async throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let path = parent.appending("control")
        let fileSystem = FileSystem()
        try fileSystem.makeDirectory(path.appendingSuffix(".new"))
        try fileSystem.replace(path.appendingSuffix(".new").appending("s"), with: [])
        let socket = try await ControlSocket.open(path, group: MultiThreadedEventLoopGroup.singleton) { _ in
            .done
        }
        #expect(try fileSystem.list(parent.path).map(\.name) == ["control"])
        let reply = try await NIOThreadPool.singleton.runIfActive { try ControlClient.ask(.stop, at: path) }
        guard case .done = reply else {
            Issue.record("it does not answer")
            return
        }
        await socket.close()
        #expect(try fileSystem.list(parent.path).isEmpty)
    }

    @Test func `a second relay is refused, a socket that a killed one left is replaced`() async throws {
        try await Self.withRelay { _, folder in
            await #expect(throws: XFTPStoreError.self) {
                _ = try await FolderRelay.start(
                    folder, group: MultiThreadedEventLoopGroup.singleton,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, version: "1")
            }
            guard case .status = try await Self.ask(.status, folder) else {
                Issue.record("the first one does not answer any more")
                return
            }
        }
    }
}
