import FaultInjection
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// The index of texts against a plain look at all of them.
struct TextIndexTests {
    private let folder: TemporaryFolder
    private var path: FilePath { folder.appending("index.db") }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private static func key(_ byte: UInt8 = 0xAB) throws -> SecretBytes {
        try SecretBytes(copying: [UInt8](repeating: byte, count: 32))
    }

    private func open() throws -> TextIndex { try TextIndex(path, key: Self.key()) }

    /// Characters that make words, end words, and mean something to FTS5.
    private static let characters = Array("aab cdé-я好\n\"'*:^1_🙂 ")

    private static func text(upTo count: Int, _ generator: inout SeededGenerator) -> String {
        String(
            (0..<Int.random(in: 0...count, using: &generator)).map { _ in
                characters.randomElement(using: &generator)!
            })
    }

    private func compare(_ index: TextIndex, _ texts: [Int64: String], _ generator: inout SeededGenerator)
        throws
    {
        for _ in 0..<300 {
            let wanted = (0..<Int.random(in: 1...2, using: &generator))
                .map { _ in Self.text(upTo: 5, &generator) }.filter { !$0.isEmpty }
            guard !wanted.isEmpty else { continue }
            let bytes = wanted.map { Array($0.utf8) }
            let found = try index.rows(containing: bytes)
            let expected = texts.filter { text in
                wanted.allSatisfy { word in Self.contains(Array(text.value.utf8), Array(word.utf8)) }
            }.keys.sorted()
            // What it gives is looked at once more, so that more is no mistake.
            #expect(Set(expected).isSubset(of: found), "\(wanted)")
            #expect(found == found.sorted())
            #expect(found.count <= expected.count + 200, "\(wanted)")
        }
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        return (0...(text.count - word.count)).contains { text[$0...].starts(with: word) }
    }

    @Test func `what is searched is found in any place of a text, also after changes`() throws {
        let seed = UInt64.random(in: 0...999_999)
        print("texts of the index: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var texts: [Int64: String] = [:]
        let index = try open()
        #expect(try index.mark() == nil)
        try index.change(mark: "one") { change in
            for row in Int64(1)...2500 {
                texts[row] = Self.text(upTo: 25, &generator)
                try change.add(Array(texts[row, default: ""].utf8), row: row)
            }
        }
        try compare(index, texts, &generator)
        try index.change(mark: "two") { change in
            for row in texts.keys.sorted().shuffled(using: &generator).prefix(400) {
                guard Bool.random(using: &generator) else {
                    texts[row] = nil
                    try change.remove(row: row)
                    continue
                }
                texts[row] = Self.text(upTo: 25, &generator)
                try change.prepareReplacing(row: row)
                try change.add(Array(texts[row, default: ""].utf8), row: row)
            }
        }
        try compare(index, texts, &generator)
        try index.change(mark: "three") { change in
            for row in Int64(3000)...3100 {
                texts[row] = Self.text(upTo: 25, &generator)
                try change.add(Array(texts[row, default: ""].utf8), row: row)
            }
        }
        let again = try open()
        #expect(try again.mark() == "three")
        try compare(again, texts, &generator)
        #expect(try again.rows() == texts.keys.min()!...texts.keys.max()!)
    }

    @Test func `a row without a text is found in each search, until it is removed`() throws {
        let index = try open()
        try index.change(mark: "") { change in
            try change.add(Array("one two".utf8), row: 1)
            try change.addWithoutText(row: 7)
        }
        #expect(try index.rows(containing: [Array("two".utf8)]) == [1, 7])
        #expect(try index.rows(containing: [Array("none".utf8)]) == [7])
        try index.change(mark: "") { try $0.remove(row: 7) }
        #expect(try index.rows(containing: [Array("none".utf8)]).isEmpty)
    }

    @Test func `a change that fails leaves the index as it was`() throws {
        let index = try open()
        try index.change(mark: "before") { try $0.add(Array("harbour".utf8), row: 1) }
        #expect(throws: Interruption.self) {
            try index.change(mark: "after") { change in
                try change.remove(row: 1)
                try change.add(Array("rain".utf8), row: 2)
                throw Interruption()
            }
        }
        #expect(try index.mark() == "before")
        #expect(try index.rows(containing: [Array("arbo".utf8)]) == [1])
        #expect(try index.rows(containing: [Array("rain".utf8)]).isEmpty)
    }

    @Test func `nothing of a text is to be read in the file, which is the owner's alone`() throws {
        let marker = Array("amarkerthatiseasytofind".utf8)
        try open().change(mark: "") { change in
            for row in Int64(1)...50 { try change.add(marker, row: row) }
        }
        let files = FileSystem()
        #expect(try files.attributes(of: path)?.permissions == .ownerReadWrite)
        let bytes = try files.contents(of: path, limit: 1 << 24)
        #expect(
            bytes.count > 4096 && !Self.contains(bytes, marker) && !Self.contains(bytes, Array("SQLite".utf8))
        )
    }

    @Test func `what is removed is gone from the file, its words too`() throws {
        let marker = Array("amarkerthatiseasytofind".utf8)
        let index = try TextIndex(path, key: SecretBytes.empty())
        try index.change(mark: "") { change in
            try change.add(marker, row: 1)
            try change.add(Array("something else".utf8), row: 2)
        }
        let files = FileSystem()
        #expect(Self.contains(try files.contents(of: path, limit: 1 << 24), marker))
        try index.change(mark: "") { try $0.remove(row: 1) }
        #expect(!Self.contains(try files.contents(of: path, limit: 1 << 24), marker))
        #expect(try index.rows(containing: [Array("else".utf8)]) == [2])
    }

    @Test func `another key does not open it`() throws {
        try open().change(mark: "") { try $0.add([0x61], row: 1) }
        #expect { try TextIndex(path, key: Self.key(0xCD)) } throws: {
            ($0 as? DatabaseError)?.isNotADatabase == true
        }
        #expect { try TextIndex(path, key: SecretBytes.empty()) } throws: {
            ($0 as? DatabaseError)?.isNotADatabase == true
        }
    }
}
