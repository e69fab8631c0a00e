import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// What is read of a log while its relay runs.
struct EmbeddedSnapshotTests {
    @Test func `a snapshot follows a relay that runs, through compactions`() throws {
        var (seed, generator) = StoreMigrationTests.seeded()
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let log = try #require(fixture.settings.log)
        _ = try store.send(1)
        let snapshot = try EmbeddedSnapshot(log)
        var source = MovingStore(store.records, store.bytes)
        for round in 0..<30 {
            try source.fill(4, &generator)
            for chunk in try source.listed where Int.random(in: 0..<4, using: &generator) == 0 {
                // A body that was taken away is not in the log.
                try source.change(chunk.chunk.id, &generator)
            }
            if round % 7 == 3 { try store.compact() }
            let (mine, theirs) = (try source.listed, try snapshot.listed)
            #expect(mine.map(\.chunk) == theirs.map(\.chunk), "seed \(seed)")
            #expect(mine.map(\.recipients) == theirs.map(\.recipients), "seed \(seed)")
            for (one, two) in zip(mine, theirs) {
                #expect(one.body == nil || one.body == two.body, "seed \(seed)")
            }
            for chunk in mine.prefix(3) {
                let (known, found) = (
                    try store.records.sender(chunk.chunk.id), try snapshot.sender(chunk.chunk.id)
                )
                #expect(known?.key == found?.key && known?.blocked == found?.blocked)
                for recipient in chunk.recipients.prefix(2) {
                    #expect(try snapshot.chunk(ofRecipient: recipient.id) == chunk.chunk.id)
                    #expect(
                        try snapshot.recipient(recipient.id)?.key
                            == store.records.recipient(recipient.id)?.key)
                    guard chunk.body != nil else { continue }
                    #expect(try snapshot.body(ofRecipient: recipient.id) == chunk.body)
                }
            }
            #expect(try snapshot.usage().chunks == mine.count && snapshot.report.badLineCount == 0)
        }
        try store.close()
    }

    @Test func `a snapshot changes nothing, and leaves a torn line`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for number in 0..<5 { _ = try store.send(number) }
        let log = try #require(fixture.settings.log)
        let file = try FileSystem().openForUpdating(log)
        let size = try file.size()
        let torn = Array("FNEW AAAA".utf8)
        try torn.withUnsafeBytes { try file.write($0, at: size) }
        let before = try TemporaryFolder.contents(of: fixture.folder.path)
        let snapshot = try EmbeddedSnapshot(log)
        #expect(try snapshot.usage().chunks == 5 && snapshot.usage().usedSpace == 500)
        #expect(try TemporaryFolder.contents(of: fixture.folder.path) == before)
        // The relay cuts it off, or its end comes.
        try file.truncate(to: size)
        _ = try store.send(9)
        #expect(try snapshot.usage().chunks == 6 && snapshot.report.badLineCount == 0)
        #expect(throws: XFTPStoreError.self) { try snapshot.acknowledge(StoredID()) }
        #expect(throws: XFTPStoreError.self) { _ = try snapshot.whileSweeping {} }
        try store.close()
    }

    @Test func `a log that was cut and goes on in another way is read anew`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let kept = try store.send(1)
        let log = try #require(fixture.settings.log)
        let size = try #require(try FileSystem().attributes(of: log)).size
        for number in 2..<6 { _ = try store.send(number) }
        let snapshot = try EmbeddedSnapshot(log)
        try store.close()
        let file = try FileSystem().openForUpdating(log)
        try file.truncate(to: size)
        #expect(try snapshot.listed.map(\.chunk.id.entity) == [kept.sender])
        for name in try fixture.bodies where name != BodyName(chunk: StoredID(kept.sender)!).text {
            try FileSystem().remove(fixture.settings.folder.appending(name))
        }
        let again = try fixture.open()
        for number in 10..<16 { _ = try again.announce(number) }
        #expect(try snapshot.listed == again.records.listed)
        try again.close()
    }

    @Test func `what is no log is refused, and a missing one is not found`() throws {
        let folder = try TemporaryFolder("valise-moving", inMemory: true)
        let path = folder.appending("store.log")
        #expect((#expect(throws: XFTPStoreError.self) { try EmbeddedSnapshot(path) })?.code == .notFound)
        try FileSystem().replace(path, with: Array("one\ntwo\n".utf8))
        #expect((#expect(throws: XFTPStoreError.self) { try EmbeddedSnapshot(path) })?.code == .damaged)
        try FileSystem().replace(path, with: [])
        let snapshot = try EmbeddedSnapshot(path)
        #expect(try snapshot.usage().chunks == 0)
        try FileSystem().replace(path, with: Array("one\ntwo\n".utf8))
        for _ in 0..<2 { #expect(throws: XFTPStoreError.self) { try snapshot.usage() } }
    }

    @Test func `chunks without recipients and with very many survive a restart of embedded records`() throws {
        let fixture = try StoreFixture()
        for count in [0, 256, 3000] {
            let store = try fixture.open()
            let chunk = NewStoredChunk(
                id: StoredID(), key: StoreFixture.key(1), size: 100, digest: [UInt8](repeating: 1, count: 32),
                hour: 1)
            let recipients = MovingStore.recipients(count)
            try store.records.create(chunk, recipients)
            try store.close()
            let again = try fixture.open()
            #expect(again.startReport.badLineCount == 0)
            #expect(try again.records.listed(chunk.id)?.recipients == recipients)
            try again.close()
        }
    }

    /// A relay takes and loses chunks while its store moves; the last pass comes when it has stopped.
    @Test func `a store moves while its relay runs`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let source = MovingStore(
            try EmbeddedSnapshot(try #require(fixture.settings.log)), ChunkFolder(fixture.settings.folder))
        for number in 0..<60 { _ = try store.send(number) }
        let destination = MovingStore(
            ModelRecords(ModelDatabase(quota: nil)), MemoryBytes(sharesNames: false))
        try Threads.run(3) { thread in
            guard thread == 0 else {
                for number in 0..<60 {
                    let chunk = try store.send(thread * 1000 + number)
                    if number % 2 == 0 { try store.delete(chunk.sender) }
                    if number % 20 == 0 { try store.compact() }
                }
                return
            }
            for _ in 0..<4 { _ = try StoreMigration(source, destination, .online).run() }
        }
        try store.close()
        let report = try StoreMigration(source, destination).run()
        #expect(report.isComplete == true && report.missingBodies == 0, "\(report)")
        #expect(try destination.listed.count == 120)
        try source.expectCopy(destination)
    }
}
