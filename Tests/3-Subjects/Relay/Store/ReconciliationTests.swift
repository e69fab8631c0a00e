import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Log and bodies that do not fit together when a relay starts.
struct ReconciliationTests {
    private static let stranger = "QUJDREVGR0hJSktMTU5PUA=="

    @Test func `what uploads left half is removed, what is not ours stays`() throws {
        let fixture = try StoreFixture()
        try fixture.open().close()
        try fixture.write(body: Self.stranger + ".7.partial", [1, 2])
        try fixture.write(body: "README", [1])
        try fixture.write(body: "notes.partial", [1])
        let report = try fixture.open().startReport
        #expect(report.removedPartials == 1 && report.foreignEntries == 2 && report.removedBodies == 0)
        #expect(try fixture.bodies == ["README", "notes.partial"])
    }

    @Test func `a body without its line was not acknowledged, and goes`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.send(1)
        try store.close()
        try fixture.write(log: fixture.logLines.dropLast().joined(separator: "\n") + "\n")
        let next = try fixture.open()
        #expect(try next.startReport.removedBodies == 1 && next.usage.usedSpace == 0)
        #expect(answer { _ = try next.open(chunk.recipients[0]) } == .noFile)
        #expect(try next.upload(chunk))
    }

    @Test func `a body whose deletion the log has goes too`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunk = try store.send(1)
        let name = try #require(try fixture.bodies.first)
        try store.delete(chunk.sender)
        try store.close()
        try fixture.write(body: name, chunk.content)
        #expect(try fixture.open().startReport.removedBodies == 1)
        #expect(try fixture.bodies.isEmpty)
    }

    @Test func `bodies that the log does not know stay until they are old: it may be the wrong log`() throws {
        let fixture = try StoreFixture()
        try fixture.write(body: Self.stranger, [1, 2, 3])
        var store = try fixture.open()
        #expect(store.startReport.unknownBodies == 1 && store.startReport.removedBodies == 0)
        try store.close()
        let path = fixture.settings.folder.appending(Self.stranger)
        try FileSystem().openForUpdating(path).setModificationTime(fixture.clock.now - 172_800 - 3601)
        store = try fixture.open()
        #expect(store.startReport.unknownBodies == 0 && store.startReport.removedBodies == 1)
    }

    @Test(arguments: [nil, [1, 2, 3]] as [[UInt8]?])
    func `a chunk whose body is lost or cut does not count, and can be sent again`(left: [UInt8]?) throws {
        let fixture = try StoreFixture(quota: 100)
        var store = try fixture.open()
        let chunk = try store.send(1)
        let name = try #require(try fixture.bodies.first)
        try store.close()
        if let left {
            try fixture.write(body: name, left)
        } else {
            try FileSystem().remove(fixture.settings.folder.appending(name))
        }
        for _ in 0..<2 {
            store = try fixture.open()
            #expect(try store.startReport.missingBodies == 1 && store.usage.usedSpace == 0)
            #expect(answer { _ = try store.open(chunk.recipients[0]) } == .auth)
            try store.close()
        }
        store = try fixture.open()
        #expect(try store.upload(chunk))
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
        try store.close()
        #expect(try fixture.open().startReport.missingBodies == 0)
    }

    @Test func `chunks that were never uploaded take no space after a restart`() throws {
        let fixture = try StoreFixture(quota: 100)
        let store = try fixture.open()
        _ = try store.announce(1)
        let chunk = try store.announce(2)
        try store.close()
        let next = try fixture.open()
        #expect(try next.usage.chunks == 2 && next.usage.usedSpace == 0)
        #expect(try next.upload(chunk))
    }

    @Test func `a smaller quota than what is there refuses until enough has gone`() throws {
        var fixture = try StoreFixture()
        var store = try fixture.open()
        let chunks = try (0..<3).map { try store.send($0) }
        let fourth = try store.announce(4)
        try store.close()
        fixture.settings.quota = 200
        store = try fixture.open()
        #expect(answer { try store.upload(fourth) } == .quota)
        try store.delete(chunks[0].sender)
        #expect(answer { try store.upload(fourth) } == .quota)
        try store.delete(chunks[1].sender)
        #expect(try store.upload(fourth))
    }
}
