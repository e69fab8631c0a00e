import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseFiles
import ValiseRelay

@testable import Valise

/// What is done with a relay's storage, by operations.
struct RelayStorageTests {
    private let folder: TemporaryFolder
    private let context = OperationContext()

    init() throws { folder = try TemporaryFolder("valise-storage", inMemory: true) }

    /// A relay that was set up, and the settings of its store.
    private func relay(_ name: String) async throws -> (FilePath, ChunkStoreSettings) {
        let path = folder.appending(name)
        var setup = InitializeRelay(in: path, hosts: [try XFTPAddress.Host("127.0.0.1")])
        setup.algorithm = .ed25519
        _ = try await setup.run(in: context)
        let relay = RelayFolder(path)
        return (path, relay.storeSettings(try relay.contents().settings))
    }

    /// Chunks of zeros.
    private static func send(_ count: Int, to store: ChunkStore) throws {
        let content = [UInt8](repeating: 0, count: 65_536)
        let key = PublicKey(.ed25519, [UInt8](repeating: 1, count: 32))
        for _ in 0..<count {
            let chunk = try store.create(
                senderKey: key, size: 65_536, digest: SHA256.hash(content), recipients: [key])
            guard case .accept(let upload) = try store.beginUpload(chunk.sender) else { continue }
            try content.withUnsafeBytes { try upload.write($0) }
            try upload.finish()
        }
    }

    @Test func `a relay is checked while it runs, and repaired when it has stopped`() async throws {
        let (path, settings) = try await relay("one")
        let store = try ChunkStore(settings)
        try Self.send(4, to: store)
        var check = CheckRelay(in: path)
        check.readsContent = true
        var report = try await check.run(in: context)
        #expect(report.findings == 0 && report.verifiedBodies == 4)
        let repair = RepairRelay(in: path)
        let failure = await #expect(throws: XFTPStoreError.self) { try await repair.run(in: context) }
        #expect(failure?.code == .inUse)
        try store.close()
        let bodies = try FileSystem().list(settings.folder).compactMap(\.name)
        try FileSystem().remove(settings.folder.appending(bodies[0]))
        try FileSystem().replace(settings.folder.appending(bodies[1]), with: [1])
        try FileSystem().replace(
            settings.folder.appending(bodies[2]), with: [UInt8](repeating: 3, count: 65_536))
        report = try await check.run(in: context)
        #expect(report.missing == 1 && report.wrongSize == 1 && report.damaged == 1 && !report.isIntact)
        var thorough = RepairRelay(in: path)
        thorough.readsContent = true
        let planned = try await thorough.plan(in: context)
        #expect(planned.markedChunks == 3 && planned.removedDamaged == 2)
        #expect(try FileSystem().list(settings.folder).count == 3)
        let repaired = try await thorough.run(in: context)
        #expect(repaired.markedChunks == 3 && repaired.removedDamaged == 2)
        #expect(try FileSystem().list(settings.folder).count == 1)
        // Each start finds that they are missing: their senders may upload them again.
        let again = try ChunkStore(settings)
        #expect(again.startReport.missingBodies == 3 && again.startReport.removedBodies == 0)
        try again.close()
    }

    /// Names both places of a relay's records in its settings.
    private static func nameDatabase(_ path: FilePath, _ server: PostgresServer) throws {
        let relay = RelayFolder(path)
        var settings = try relay.contents().settings
        settings.database = RelaySettings.Database(address: server.address)
        settings.database?.schema = "moved"
        try FileSystem().replace(relay.path(of: .settings), with: Array(settings.text.utf8))
    }

    @Test(.enabled(if: PostgresServer.isAvailable))
    func `records move to a database, first while the relay runs`() async throws {
        let (path, settings) = try await relay("one")
        let server = try PostgresServer()
        try Self.nameDatabase(path, server)
        let store = try ChunkStore(settings)
        try Self.send(3, to: store)
        var online = MigrateRelay(
            in: path, from: RelayStoreChoice(), to: RelayStoreChoice(records: .postgres))
        #expect(try await online.plan(in: context).source.uploaded == 3)
        online.pass = .online
        #expect(try await online.run(in: context).source.uploaded == 3)
        var last = online
        last.pass = .final
        let failure = await #expect(throws: XFTPStoreError.self) { try await last.run(in: context) }
        #expect(failure?.code == .inUse)
        try Self.send(1, to: store)
        try store.close()
        let report = try await last.run(in: context)
        #expect(report.isComplete == true && report.comparison?.check.verifiedBodies == 4)
    }

    @Test func `storage that a relay has no settings for is not opened`() async throws {
        let (path, settings) = try await relay("one")
        try ChunkStore(settings).close()
        let migration = MigrateRelay(
            in: path, from: RelayStoreChoice(), to: RelayStoreChoice(records: .postgres))
        let failure = await #expect(throws: XFTPRelayError.self) { try await migration.run(in: context) }
        #expect(failure?.message == "missing 'db_connection' in [STORE_LOG]")
    }
}
