import FaultInjection
import Testing

@testable import ValiseChatLog

/// Texts as they are stored against the same as strings.
struct TextQueryTests {
    private func folded(_ bytes: [UInt8], _ folding: inout TextFolding) -> [UInt8] {
        bytes.withUnsafeBytes { folding.folded($0) }
    }

    @Test func `small letters are those of String, of every character there is`() {
        var folding = TextFolding()
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "aB\(scalar)Zé"
            if folded(Array(text.utf8), &folding) != Array(text.lowercased().utf8) {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func `bytes that are no UTF-8 are repaired as String repairs them`() {
        let seed = UInt64.random(in: 0...999_999)
        print("bytes: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var folding = TextFolding()
        let some: [UInt8] = [
            0x41, 0x80, 0xC3, 0x84, 0xE2, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0x90, 0xBF, 0xC0, 0xE0,
        ]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                some.randomElement(using: &generator)!
            }
            let expected = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
            #expect(folded(bytes, &folding) == expected, "\(bytes)")
        }
    }

    @Test func `a stored text matches as the same String does`() throws {
        let seed = UInt64.random(in: 0...999_999)
        print("texts: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var folding = TextFolding()
        let characters = Array("aAbB öÖ-\"кК\u{212A}\u{130}i🙂 ")
        func text(_ count: Int) -> String {
            String(
                (0..<Int.random(in: 0...count, using: &generator)).map { _ in
                    characters.randomElement(using: &generator)!
                })
        }
        for _ in 0..<20_000 {
            guard let query = TextQuery(text(6)) else { continue }
            let text = text(12)
            let stored = Array(text.utf8).withUnsafeBytes { query.matches(stored: $0, &folding) }
            #expect(stored == query.matches(text), "\(query) in \(text)")
            let line = #"{"text":"\#(text.replacing("\"", with: #"\""#))"}"#
            if stored { #expect(query.mayMatch(line: Array(line.utf8)[...]), "\(query) in \(line)") }
        }
    }
}
