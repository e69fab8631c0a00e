import FaultInjection
import Testing
import ValiseStorage

@testable import ValiseRepository

struct IndexRecordTests {
    private func packs(_ json: [UInt8]) throws -> [IndexedPack] {
        var packs: [IndexedPack] = []
        try IndexRecord.read(json) { packs.append($0) }
        return packs
    }

    @Test(arguments: ["v1", "v2"]) func `indexes of restic are written as they were`(version: String) throws {
        var blobs: Set<ContentID> = []
        for (id, json) in try RecordFixture.records(version, "index") {
            var encoder = IndexEncoder()
            for pack in try packs(json) {
                #expect(Set(pack.blobs.map(\.kind)).count == 1 && !pack.isMarked)
                #expect(pack.blobs.allSatisfy { ($0.uncompressedLength != nil) == (version == "v2") })
                blobs.formUnion(pack.blobs.map(\.id))
                encoder.append(pack)
            }
            #expect(!encoder.isFull)
            #expect(encoder.finish() == json, "\(id)")
        }
        // All trees are there.
        for (id, _) in try RecordFixture.records(version, "trees") {
            #expect(blobs.contains(try #require(ContentID(text: id))))
        }
    }

    @Test func `fields of rustic and of old versions are read`() throws {
        let (pack, blob) = (RecordFixture.id(1), RecordFixture.id(2))
        let text = """
            {"supersedes":["\(pack.text)"],"packs":[{"blobs":[{"length":40,"offset":1,"type":"tree","id":"\(blob.text)",
            "uncompressed_length":0}],"size":77,"time":"2026-01-01T00:00:00Z","id":"\(pack.text)"}],
            "packs_to_delete":[{"id":"\(blob.text)","time":"2026-02-01T00:00:00Z","blobs":[]}]}
            """
        let found = try packs(text.json)
        #expect(found.count == 2)
        #expect(found[0].id == pack && !found[0].isMarked && found[0].time?.text == "2026-01-01T00:00:00Z")
        #expect(found[0].blobs == [IndexedBlob(id: blob, kind: .tree, offset: 1, length: 40)])
        #expect(found[1].id == blob && found[1].isMarked && found[1].time?.text == "2026-02-01T00:00:00Z")
    }

    @Test func `an empty index is one`() throws {
        #expect(IndexEncoder().finish() == "{\"packs\":[]}\n".json)
        #expect(try packs("{}".json).isEmpty)
        #expect(try packs(#"{"packs":null}"#.json).isEmpty)
        #expect(try packs("{\"packs\":[]}\n".json).isEmpty)
    }

    private static func text(_ blob: String, pack: String = RecordFixture.id(1).text) -> String {
        #"{"packs":[{"id":"\#(pack)","blobs":[\#(blob)]}]}"#
    }

    @Test(arguments: [
        "", "[]", #"{"packs":{}}"#, #"{"packs":[{}]}"#, #"{"packs":[{"blobs":[]}]}"#, text("{}"), text("1"),
        text(#"{"id":"\#(RecordFixture.id(2).text)","type":"data","offset":0}"#),
        text(#"{"id":"\#(RecordFixture.id(2).text)","type":"file","offset":0,"length":1}"#),
        text(#"{"id":"\#(RecordFixture.id(2).text)","type":"data","offset":-1,"length":1}"#),
        text(#"{"id":"\#(RecordFixture.id(2).text)","type":"data","offset":4294967296,"length":1}"#),
        text(#"{"id":"00","type":"data","offset":0,"length":1}"#), text("", pack: "zz"),
    ])
    func `what is no index is damage`(text: String) {
        #expect(throws: RepositoryError.self) { try packs(text.json) }
    }

    @Test func `an index that is cut off at any byte is damage, and one that is changed does not trap`()
        throws
    {
        let seed = CryptoFixture.seed("damaged indexes")
        var random = SeededGenerator(seed: seed)
        for (_, json) in try RecordFixture.records("v2", "index") {
            for length in 0..<json.count - 1 {
                #expect(throws: RepositoryError.self) { try packs(Array(json[..<length])) }
            }
            for _ in 0..<1000 {
                var damaged = json
                damaged[Int.random(in: 0..<json.count, using: &random)] = .random(in: 0...255, using: &random)
                var table = BlobTable()
                try? IndexRecord.read(damaged) { try table.add($0) }
            }
        }
    }

    @Test func `an index is full at 50,000 blobs`() {
        var encoder = IndexEncoder()
        let blobs = (0..<25_000).map {
            IndexedBlob(id: RecordFixture.id($0), kind: .data, offset: UInt32($0) * 100, length: 100)
        }
        encoder.append(IndexedPack(id: RecordFixture.id(-1), blobs: blobs))
        #expect(!encoder.isFull)
        encoder.append(IndexedPack(id: RecordFixture.id(-2), blobs: blobs))
        #expect(encoder.isFull && encoder.count == 50_000)
    }
}
