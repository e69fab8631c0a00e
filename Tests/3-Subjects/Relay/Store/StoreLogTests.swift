import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// The store log in the form of the official relay (XFTP fact sheet, §9.5).
struct StoreLogTests {
    private struct Vectors: Decodable {
        struct Vector: Decodable { let line: String }
        let vectors: [Vector]
        let filePath: String
    }

    private static func vectors() throws -> Vectors {
        let url = Repository.beside("Fixtures/store-log.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Vectors.self, from: Data(contentsOf: url))
    }

    @Test func `every line of the vectors is read, and written as it was`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.vectors.count == 7)
        for vector in vectors.vectors {
            #expect(try StoreLogLine(vector.line).text == vector.line)
        }
        guard case .uploaded(let id, let path) = try StoreLogLine(vectors.vectors[2].line) else {
            Issue.record("this is not what was uploaded")
            return
        }
        #expect(path == vectors.filePath)
        #expect(id.bytes == (1...16).map { UInt8($0) })
    }

    @Test func `a line without a status is of an active chunk, other statuses are kept`() throws {
        let line = try Self.vectors().vectors[0].line
        let old = String(line.dropLast(" active".count))
        #expect(try StoreLogLine(old).text == line)
        let off = old + " off"
        #expect(try StoreLogLine(off).text == off)
        let noticed = old + " blocked,reason=spam,notice={\"ttl\":60}"
        #expect(try StoreLogLine(noticed).text == noticed)
    }

    @Test func `lines that are none are refused with a reason`() throws {
        let created = try Self.vectors().vectors[0].line
        let bad = [
            "", "FNEW", "FNEW ", "FPUT x", "XXXX AQIDBAUGBwgJCgsMDQ4PEA==", "FDEL AQIDBAUGBwgJCgsMDQ4P",
            "FDEL AQIDBAUGBwgJCgsMDQ4PEA== x", "FADD AQIDBAUGBwgJCgsMDQ4PEA==",
            "FADD AQIDBAUGBwgJCgsMDQ4PEA== ERITFBUWFxgZGhscHR4fIA==",
            "FADD AQIDBAUGBwgJCgsMDQ4PEA== ERITFBUWFxgZGhscHR4fIA==:AAAA",
            "FPUT AQIDBAUGBwgJCgsMDQ4PEA== *", "FBLK AQIDBAUGBwgJCgsMDQ4PEA== reason=rain",
            created.replacing(" 65536 ", with: " 0 "), created.replacing(" 65536 ", with: " 4294967296 "),
            created.replacing("1700002800", with: "-1"),
            created.replacing("1700002800", with: "99999999999999999"),
            created + "x", created.replacing("active", with: "blocked,"),
        ]
        for line in bad { #expect(throws: StoreLogFault.self, "\(line)") { try StoreLogLine(line) } }
    }

    @Test func `whatever happens to lines, they are refused or mean what they say`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let lines = try Self.vectors().vectors.map { Array($0.line.utf8) }
        for _ in 0..<20_000 {
            var bytes = lines.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 32...126, using: &generator)
                case 1 where bytes.count > 1: bytes.remove(at: place)
                case 2: bytes.insert(Array(" ,:=-".utf8).randomElement(using: &generator) ?? 32, at: place)
                default: bytes += lines.randomElement(using: &generator) ?? []
                }
            }
            guard let line = try? StoreLogLine(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(try StoreLogLine(line.text) == line, "seed \(seed)")
        }
    }

    @Test func `as many lines as the official relay has, before and after restarts`() throws {
        let fixture = try StoreFixture()
        var store = try fixture.open()
        let chunk = try store.send(1, recipients: 2)
        #expect(try fixture.logLines.map { $0.prefix(4) } == ["FNEW", "FADD", "FPUT"])
        try store.acknowledge(chunk.recipients[1])
        #expect(try fixture.logLines.count == 4)
        try store.close()
        store = try fixture.open()
        #expect(try fixture.logLines.count == 3)
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
        try store.delete(chunk.sender)
        try store.close()
        store = try fixture.open()
        #expect(try fixture.logLines.isEmpty)
    }

    @Test func `a log of an official relay is taken over with its bodies`() throws {
        let fixture = try StoreFixture()
        let lines = try Self.vectors().vectors.map(\.line)
        try fixture.write(log: lines[..<3].joined(separator: "\n") + "\n")
        try fixture.write(body: "AQIDBAUGBwgJCgsMDQ4PEA==", [UInt8](repeating: 7, count: 65_536))
        let store = try fixture.open()
        #expect(store.startReport.badLineCount == 0 && store.startReport.missingBodies == 0)
        let recipient = try #require(EntityID((17...32).map { UInt8($0) }))
        #expect(try store.content(recipient) == [UInt8](repeating: 7, count: 65_536))
        try store.close()
        try fixture.write(log: lines[..<4].joined(separator: "\n") + "\n")
        let other = try fixture.open()
        #expect(try other.recipient(recipient) == nil)
        #expect(try other.usage.uploaded == 1)
    }

    @Test func `bad lines are told with their numbers, the others count`() throws {
        let fixture = try StoreFixture()
        var store = try fixture.open()
        let chunks = try (0..<3).map { try store.send($0) }
        try store.close()
        var lines = try fixture.logLines
        lines.insert("FNEW nonsense", at: 3)
        lines.append(String(repeating: "x", count: StoreLogReader.longestLine + 5))
        lines.append("FDEL " + String(repeating: "A", count: 22) + "==")
        try fixture.write(log: lines.joined(separator: "\n") + "\nFDEL half")
        store = try fixture.open()
        #expect(store.startReport.badLines.map(\.number) == [4, 11, 12])
        #expect(store.startReport.badLineCount == 3 && store.startReport.droppedTornLine)
        for chunk in chunks { #expect(try store.content(chunk.recipients[0]) == chunk.content) }
        let backup = try #require(store.startReport.backup)
        #expect(try FileSystem().contents(of: backup, limit: 1 << 20).suffix(4).elementsEqual("half".utf8))
        #expect(try fixture.logLines.count == 9)
    }

    @Test func `a file that is no log is not taken for one`() throws {
        let fixture = try StoreFixture()
        try fixture.write(log: "root:x:0:0\nbin:x:1:1\n")
        #expect(throws: XFTPStoreError.self) { try fixture.open() }
        #expect(try fixture.logLines.count == 2)
    }

    @Test func `what an interrupted start of an official relay left is put right`() throws {
        let fixture = try StoreFixture()
        let log = try #require(fixture.settings.log)
        var store = try fixture.open()
        let chunk = try store.send(1)
        try store.close()
        try FileSystem().rename(log, to: log.appendingSuffix(".start"))
        try fixture.write(log: "FNEW half")
        store = try fixture.open()
        #expect(store.startReport.interruptedStart == log.appendingSuffix(".bak"))
        #expect(try store.content(chunk.recipients[0]) == chunk.content)
        try store.close()
        #expect(try fixture.open().startReport.interruptedStart == nil)
    }

    @Test func `previous logs go after three weeks, the last three stay`() throws {
        let fixture = try StoreFixture()
        let folder = fixture.folder.appending("log")
        for _ in 0..<5 {
            let store = try fixture.open()
            try store.acknowledge(try store.send(1).recipients[0])
            try store.close()
            fixture.clock.advance(by: 86_400)
        }
        func backups() throws -> [String] {
            try FileSystem().list(folder).compactMap(\.name).filter { $0 != "store.log" }
        }
        #expect(try backups().count == 4)
        fixture.clock.advance(by: 20 * 86_400)
        try fixture.open().close()
        #expect(try backups().count == 3, "the last of them is that of now")
    }

    @Test func `a compaction while the relay runs changes nothing that one sees`() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let chunks = try (0..<20).map { try store.send($0, recipients: 3) }
        for chunk in chunks { try store.acknowledge(chunk.recipients[1]) }
        #expect(try fixture.logLines.count == 80)
        try store.compact()
        #expect(try fixture.logLines.count == 60)
        try store.delete(chunks[0].sender)
        #expect(try fixture.logLines.count == 61)
        try store.close()
        let next = try fixture.open()
        #expect(try next.usage.recipients == 38 && next.usage.uploaded == 19)
    }

    @Test func `more recipients than a line takes`() throws {
        let fixture = try StoreFixture()
        var store = try fixture.open()
        let chunk = try store.announce(1, recipients: 255)
        for _ in 0..<2 {
            _ = try store.addRecipients(
                (0..<200).map { StoreFixture.key(UInt8($0)) }, to: chunk.sender)
        }
        try store.compact()
        #expect(try fixture.logLines.count == 1 + 3)
        try store.close()
        store = try fixture.open()
        #expect(try store.usage.recipients == 655)
    }
}

extension StoreFixture {
    func write(log text: String) throws {
        let path = folder.appending("log").appending("store.log")
        try FileSystem().makeDirectories(path.parentFolder)
        try FileSystem().replace(path, with: Array(text.utf8))
    }

    func write(body name: String, _ bytes: [UInt8]) throws {
        try FileSystem().makeDirectories(settings.folder)
        try FileSystem().replace(settings.folder.appending(name), with: bytes)
    }
}
