import Testing
import ValiseEncoding

@testable import ValiseChatLog

/// The search index, read as its page reads it.
@Suite struct SearchIndexTests {
    /// The documents of each word.
    private static func words(_ sink: MemorySink) -> [String: [Int]] {
        var found: [String: [Int]] = [:]
        for (path, bytes) in sink.files where path.hasPrefix("search/words/") {
            let code = String(decoding: bytes, as: UTF8.self)
            let text = code.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
            for line in text.split(separator: #"\n"#) {
                let parts = line.split(separator: " ")
                found[String(parts[0])] = decode(parts[1])
            }
        }
        return found
    }

    private static func decode(_ code: Substring) -> [Int] {
        var (numbers, last, value, shift): ([Int], Int, Int, Int) = ([], -1, 0, 0)
        for byte in code.utf8 {
            if byte < 93 {
                value += (Int(byte) - 48) << shift
                shift += 5
            } else {
                last += value + (Int(byte) - 93) << shift
                numbers.append(last)
                (value, shift) = (0, 0)
            }
        }
        return numbers
    }

    private static func index(_ texts: [String], capacity: Int = 1000) throws -> MemorySink {
        let sink = MemorySink()
        var writer = SearchIndexWriter(sink: sink, spill: MemorySpill(), capacity: capacity)
        writer.begin(.made("group-1"), folder: "pages/group-1")
        for (number, text) in texts.enumerated() {
            try writer.add(ItemMaker(key: "k\(number)", text: text).item, page: "2025-03", minutes: 7)
        }
        try writer.finish()
        return sink
    }

    @Test func `words are found without case and accents`() throws {
        let words = Self.words(
            try Self.index(["Café CAFE", "Ёлка, straße", "don't", "你好 😀👍", "cafe\u{301}"]))
        #expect(words["cafe"] == [0, 4])
        #expect(words["елка"] == [1])
        #expect(words["strasse"] == [1])
        #expect(words["don"] == [2] && words["t"] == [2])
        #expect(words["你"] == [3] && words["好"] == [3] && words["😀"] == [3])
    }

    @Test(arguments: [3, 50, 100_000])
    func `the answer is that of looking at every text, however often memory was full`(capacity: Int) throws {
        let texts = (0..<2000).map { number in
            (1...9).filter { (number + 1) % $0 == 0 }.map { "word\($0)" }.joined(separator: " ")
                + " n\(number % 97)"
        }
        let words = Self.words(try Self.index(texts, capacity: capacity))
        #expect(words.count == 9 + 97)
        for (word, documents) in words {
            let expected = texts.indices.filter { texts[$0].split(separator: " ").contains(word[...]) }
            #expect(documents == expected, "\(word)")
        }
    }

    @Test func `the table has the first word of each part, in the order of UTF-8`() throws {
        let texts = (0..<30_000).map { "w\(String($0, radix: 36))x\($0)" }
        let sink = try Self.index(texts, capacity: 7000)
        let table = sink.text("search/index.js")
        let start = try #require(table.firstRange(of: "first:["))
        let first = table[start.upperBound...].prefix { $0 != "]" }.split(separator: ",").map {
            $0.filter { $0 != "\"" }
        }
        #expect(first.count > 3)
        #expect(first == first.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        for (number, word) in first.enumerated() {
            let part = sink.text("search/words/\(number / 256)/\(number % 256).js")
            #expect(part.hasPrefix("valise.words(\(number),\"\(word) "))
        }
        #expect(table.contains("count:30000,"))
    }

    @Test func `each document has its place and its beginning`() throws {
        let long = String(repeating: "long ", count: 100)
        let sink = try Self.index(["short \"text\"", long] + (0..<300).map { "n\($0)" })
        let first = sink.text("search/documents/0/0.js")
        #expect(first.contains(#""pages/group-1/2025-03""#) && first.contains(#""Kim""#))
        #expect(first.contains(#"0,0,7,0,"k0","short \"text\"""#))
        #expect(first.contains(#"\x01""#), "where more follows is marked")
        #expect(sink.files["search/documents/0/1.js"] != nil && sink.files["search/documents/0/2.js"] == nil)
    }

    @Test func `capitals are in the table with their letters`() throws {
        let table = try Self.index(["ПРИВЕТ é"]).text("search/index.js")
        #expect(table.contains(#""П","п""#) && table.contains(#""é","e""#))
        #expect(table.contains("same:\"веипрт\""))
    }
}
