import FaultInjection
import SystemPackage
import Testing
import ValiseFiles

@testable import ValiseStorage

/// Lists of folders that do not fit into memory at once.
struct FolderWalkTests {
    @Test func `names come in order, whatever the memory for them`() {
        let seed = UInt64.random(in: 0...999_999)
        var generator = SeededGenerator(seed: seed)
        let names = Set(
            (0..<800).map { _ in
                (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                    UInt8.random(in: 97...99, using: &generator)
                }
            })
        let expected = names.sorted { $0.lexicographicallyPrecedes($1) }
        for mostBytes in [1, 100, 1000, 10_000, 1 << 20] {
            var found: [[UInt8]] = []
            var isCut = true
            while isCut {
                var batch = NameBatch(mostBytes: mostBytes)
                for name in names.shuffled(using: &generator)
                where found.last?.lexicographicallyPrecedes(name) ?? true {
                    batch.add(name)
                }
                batch.sort()
                while let name = batch.popFirst() { found.append(Array(name)) }
                isCut = batch.isCut
                if mostBytes == 1, found.count > 20 { break }
            }
            #expect(found == Array(expected.prefix(found.count)), "seed \(seed), \(mostBytes) bytes")
            if mostBytes > 1 { #expect(found.count == expected.count, "seed \(seed), \(mostBytes) bytes") }
        }
    }

    @Test func `a tree comes in order, whatever the memory for its folders`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let store = FolderObjectStore(folder.path)
        let texts = (0..<150).map { "\($0 % 7)/\($0 % 13)/\($0)" } + (0..<100).map { "\($0 % 7)-\($0)" }
        for text in texts { try store.put(ObjectKey(text), [], if: .always) }
        let expected = texts.sorted { $0.comesBefore($1) }
        for mostBytes in [1, 200, 1 << 20] {
            for after in [nil, expected[0], expected[77], "3/", "3/5", "3/5/", "9"] {
                var walk = FolderWalk(
                    FileSystem(), folder.path, prefix: "", after: after, mostBytes: mostBytes)
                var found: [String] = []
                while let next = try walk.next() { found.append(next.text) }
                let wanted = expected.filter { after?.comesBefore($0) ?? true }
                #expect(found == wanted, "after \(after ?? "nothing") with \(mostBytes) bytes")
                var keys = FolderWalk(
                    FileSystem(), folder.path, prefix: "", after: after, mostBytes: mostBytes)
                found = []
                while let next = try keys.nextKey() { found.append(next.text) }
                #expect(found == wanted, "keys after \(after ?? "nothing") with \(mostBytes) bytes")
            }
        }
    }
}
