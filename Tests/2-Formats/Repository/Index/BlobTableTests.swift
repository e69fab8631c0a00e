import FaultInjection
import Testing
import ValiseStorage

@testable import ValiseRepository

struct BlobTableTests {
    /// A pack with blobs of any form, and a dictionary of all as the judge.
    private struct Model {
        var table = BlobTable()
        var packs: [ContentID: [IndexedBlob]] = [:]
        var random: SeededGenerator
        private var next = 0

        init(_ seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func pack(_ count: Int) -> IndexedPack {
            next += 1
            let isMixed = Int.random(in: 0..<8, using: &random) == 0
            let hasGaps = Int.random(in: 0..<8, using: &random) == 0
            let kind: BlobKind = Bool.random(using: &random) ? .data : .tree
            var offset: UInt32 = 0
            var blobs: [IndexedBlob] = []
            for _ in 0..<count {
                // Some blobs are in several packs.
                let isTwin = Int.random(in: 0..<10, using: &random) == 0
                next += 1
                let id = RecordFixture.id(isTwin ? Int.random(in: 0...next, using: &random) : next)
                let length = UInt32.random(
                    in: 1...(Bool.random(using: &random) ? 5000 : 2_000_000), using: &random)
                let isCompressed = Bool.random(using: &random)
                blobs.append(
                    IndexedBlob(
                        id: id, kind: isMixed && Bool.random(using: &random) ? .tree : kind, offset: offset,
                        length: length,
                        uncompressedLength: isCompressed ? UInt32.random(in: 1...(.max), using: &random) : nil
                    ))
                offset = offset &+ length &+ (hasGaps ? 3 : 0)
            }
            return IndexedPack(id: RecordFixture.id(-next), blobs: blobs.shuffled(using: &random))
        }

        func places(_ id: ContentID) -> [BlobLocation] {
            packs.flatMap { pack, blobs in
                blobs.filter { $0.id == id }.map {
                    BlobLocation(
                        pack: pack, kind: $0.kind, offset: $0.offset, length: $0.length,
                        uncompressedLength: $0.uncompressedLength)
                }
            }
        }
    }

    private func expectEqual(_ model: Model, _ seed: UInt64) {
        let table = model.table
        #expect(table.count == model.packs.values.reduce(0) { $0 + $1.count })
        #expect(table.packCount == model.packs.count && Set(table.packIDs) == Set(model.packs.keys))
        var all: [ContentID: [BlobLocation]] = [:]
        for (pack, blobs) in model.packs {
            #expect(table.hasPack(pack))
            let sorted = blobs.sorted { $0.offset < $1.offset }
            let found = table.positions(inPack: pack).map(table.location(at:))
            #expect(found.map(\.offset) == sorted.map(\.offset), "\(seed)")
            #expect(found.map(\.length) == sorted.map(\.length))
            #expect(found.map(\.kind) == sorted.map(\.kind))
            #expect(found.map(\.uncompressedLength) == sorted.map(\.uncompressedLength))
            #expect(found.allSatisfy { $0.pack == pack })
            for (blob, location) in zip(sorted, found) { all[blob.id, default: []].append(location) }
        }
        for (id, locations) in all {
            let found = table.positions(of: id).map(table.location(at:))
            guard found.count == locations.count, found.allSatisfy(locations.contains) else {
                Issue.record("\(seed): \(id.text)")
                continue
            }
            for kind in BlobKind.allCases {
                let location = table.location(of: id, kind)
                #expect(location == found.first { $0.kind == kind }, "\(seed)")
                #expect(table.contains(id, kind) == (location != nil))
            }
        }
        #expect(table.location(of: RecordFixture.id(.max), .data) == nil)
    }

    @Test func `a table finds what a dictionary finds`() throws {
        let seed = CryptoFixture.seed("tables of blobs")
        for round in 0..<12 {
            var model = Model(seed &+ UInt64(round))
            for _ in 0..<Int.random(in: 1..<40, using: &model.random) {
                let pack = model.pack(.random(in: 0..<(round < 8 ? 60 : 900), using: &model.random))
                let settles = Bool.random(using: &model.random)
                let isNew = try model.table.add(pack, settles: settles)
                #expect(isNew)
                model.packs[pack.id] = pack.blobs
                // The same pack in another index.
                let again = try model.table.add(pack)
                #expect(!again)
                if Int.random(in: 0..<5, using: &model.random) == 0 {
                    let removed = model.packs.keys.sorted().prefix(
                        Int.random(in: 0..<4, using: &model.random))
                    model.table.remove(Array(removed) + [RecordFixture.id(.min)])
                    for id in removed { model.packs[id] = nil }
                }
            }
            expectEqual(model, seed)
            model.table.settle()
            expectEqual(model, seed)
        }
    }

    @Test func `a pack that was removed can come back`() throws {
        var table = BlobTable()
        let blob = IndexedBlob(id: RecordFixture.id(1), kind: .tree, offset: 0, length: 50)
        let pack = IndexedPack(id: RecordFixture.id(2), blobs: [blob])
        for _ in 0..<3 {
            let isNew = try table.add(pack)
            #expect(isNew)
            #expect(table.location(of: blob.id, .tree)?.pack == pack.id)
            #expect(table.location(of: blob.id, .data) == nil)
            #expect(table.packIDs == [pack.id] && table.packCount == 1 && table.count == 1)
            table.remove([pack.id])
            #expect(table.location(of: blob.id, .tree) == nil)
            #expect(table.packIDs.isEmpty && table.count == 0 && table.positions(inPack: pack.id).isEmpty)
        }
    }

    @Test func `offsets and lengths may be the largest ones`() throws {
        var table = BlobTable()
        let blobs = [
            IndexedBlob(
                id: RecordFixture.id(1), kind: .data, offset: 0, length: .max, uncompressedLength: .max),
            IndexedBlob(
                id: RecordFixture.id(2), kind: .data, offset: .max, length: .max, uncompressedLength: 1),
            IndexedBlob(id: RecordFixture.id(3), kind: .data, offset: .max, length: 0),
        ]
        try table.add(IndexedPack(id: RecordFixture.id(4), blobs: blobs))
        for blob in blobs {
            let found = try #require(table.location(of: blob.id, .data))
            #expect(found.offset == blob.offset && found.length == blob.length)
            #expect(found.uncompressedLength == blob.uncompressedLength)
        }
    }

    @Test func `the vectors are found`() throws {
        for version in ["v1", "v2"] {
            var table = BlobTable()
            for (_, json) in try RecordFixture.records(version, "index") {
                try IndexRecord.read(json) { try table.add($0) }
            }
            #expect(table.count == 24 && table.packCount == 4)
            for (id, json) in try RecordFixture.records(version, "trees") {
                let id = try #require(ContentID(text: id))
                let place = try #require(table.location(of: id, .tree))
                #expect(
                    place.length == UInt32(json.count) + 32
                        || Int(place.uncompressedLength ?? 0) == json.count)
                #expect(!table.contains(id, .data))
            }
        }
    }

    @Test func `marks say how much of a pack is used`() throws {
        var table = BlobTable()
        let blobs = (0..<100).map {
            IndexedBlob(id: RecordFixture.id($0), kind: .data, offset: UInt32($0) * 10, length: 10)
        }
        let pack = RecordFixture.id(-1)
        try table.add(IndexedPack(id: pack, blobs: blobs))
        var marks = BlobMarks(table)
        for number in stride(from: 0, to: 100, by: 3) {
            let position = try #require(table.position(of: RecordFixture.id(number), .data))
            #expect(!marks.contains(position))
            let (isNew, isNewAgain) = (marks.insert(position), marks.insert(position))
            #expect(isNew && !isNewAgain)
            #expect(marks.contains(position))
        }
        #expect(marks.count == 34)
        let usage = try #require(table.usage(ofPack: pack, marks))
        #expect(
            usage.usedBlobs == 34 && usage.unusedBlobs == 66 && usage.usedBytes == 340
                && usage.unusedBytes == 660)
        #expect(usage.kinds == [.data])
        #expect(table.usage(ofPack: RecordFixture.id(-2), marks) == nil)
        // Blobs that came after the marks are not marked.
        let more = IndexedPack(id: RecordFixture.id(-3), blobs: blobs)
        try table.add(more)
        #expect(table.usage(ofPack: more.id, marks)?.usedBlobs == 0)
        let last = try #require(table.positions(inPack: more.id).last)
        let isNew = marks.insert(last)
        #expect(isNew)
        #expect(table.usage(ofPack: more.id, marks)?.usedBytes == 10)
    }

    @Test func `positions behind the sixteen millionth are kept as those before, twins in their order`() {
        var random = SeededGenerator(seed: 17)
        var sorted = SortedBlobs()
        var all: [BlobEntry] = []
        func check(_ isKept: (BlobEntry) -> Bool = { _ in true }) {
            let expected = all.filter(isKept).sorted()
            #expect(sorted.count == expected.count)
            for entry in all {
                let found = sorted.matches(entry.high, entry.low).map(sorted.position)
                let twins = expected.filter { $0.high == entry.high && $0.low == entry.low }
                guard found == twins.map(\.position) else {
                    Issue.record("\(entry): \(found)")
                    return
                }
            }
        }
        let steps: [ClosedRange<UInt32>] = [
            0...999, 0xff_fc00...0xff_ffff, 0x100_0000...0x100_03ff, 0xffff_fc00...0xffff_ffff,
        ]
        for step in steps {
            let entries = step.map { position in
                // Many with the same prefix, and some twins.
                let high =
                    UInt64.random(in: 0...40, using: &random) << 40 | UInt64.random(in: 0...9, using: &random)
                    << 48
                return BlobEntry(
                    high: high, low: UInt64.random(in: 0...3, using: &random), position: position)
            }.sorted()
            sorted.merge(entries)
            all += entries
            check()
        }
        sorted = SortedBlobs()
        sorted.merge(all.sorted())
        sorted.filter { $0 % 3 == 0 }
        check { $0.position % 3 == 0 }
    }

    /// A repository of databases in pages: what a year of an account may come to.
    @Test func `a million blobs take less than 25 bytes each`() throws {
        let (count, perPack) = (1_000_000, 10_000)
        var table = BlobTable()
        for first in stride(from: 0, to: count, by: perPack) {
            var offset: UInt32 = 0
            var blobs: [IndexedBlob] = []
            blobs.reserveCapacity(perPack)
            for number in first..<first + perPack {
                let length = 1500 + UInt32(number % 900)
                blobs.append(
                    IndexedBlob(
                        id: RecordFixture.id(number), kind: .data, offset: offset, length: length,
                        uncompressedLength: 4096))
                offset += length
            }
            try table.add(IndexedPack(id: RecordFixture.id(-1 - first), blobs: blobs), settles: false)
        }
        table.settle()
        #expect(table.count == count)
        let bytes = Double(table.byteCount) / Double(count)
        #expect(bytes < 24)
        var found = 0
        let asked = 200_000
        let duration = ContinuousClock().measure {
            for number in 0..<asked where table.contains(RecordFixture.id(number &* 7919 % count), .data) {
                found += 1
            }
        }
        #expect(found == asked)
        let each = Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
        print("table of blobs: \(bytes) bytes a blob, \(each / Double(asked)) ns a look-up")
        for number in stride(from: 0, to: count, by: 997) {
            let place = try #require(table.location(of: RecordFixture.id(number), .data))
            #expect(place.length == 1500 + UInt32(number % 900))
            #expect(place.pack == RecordFixture.id(-1 - number / perPack * perPack))
        }
    }
}
