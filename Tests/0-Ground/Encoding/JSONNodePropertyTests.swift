import FaultInjection
import Foundation
import Testing
import ValiseEncoding

/// Random documents, read by Foundation too. `VALISE_SEED` repeats those of an earlier run.
struct JSONNodePropertyTests {
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap(UInt64.init)
        ?? UInt64.random(in: 0...UInt64.max)

    @Test func `random documents are read as Foundation reads them`() throws {
        var documents = RandomJSON(SeededGenerator(seed: Self.seed))
        for _ in 0..<2000 {
            let text = documents.document()
            let node = try #require(JSONNode(parsing: text), "VALISE_SEED=\(Self.seed): \(text)")
            let other = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(Self.agrees(node, other), "VALISE_SEED=\(Self.seed): \(text)")
            #expect(JSONNode(parsing: node.jsonText) == node, "VALISE_SEED=\(Self.seed): \(text)")
            let written = try JSONSerialization.jsonObject(
                with: Data(node.jsonText.utf8), options: .fragmentsAllowed)
            #expect(Self.agrees(node, written), "VALISE_SEED=\(Self.seed): \(text)")
        }
    }

    @Test func `random bytes and random changes never trap, and what is read is written as the same`() {
        var generator = SeededGenerator(seed: Self.seed)
        var documents = RandomJSON(SeededGenerator(seed: Self.seed &+ 1))
        let marks =
            Array(#"{}[]",:\u0123456789abcdefED.+-truefalsn "#.utf8) + [0, 10, 0x80, 0xc3, 0xe2, 0xf0, 0xff]
        for _ in 0..<5000 {
            var bytes = Array(documents.document().utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let end = min(bytes.count, place + Int.random(in: 0...2, using: &generator))
                let new = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    marks.randomElement(using: &generator) ?? 0
                }
                bytes.replaceSubrange(place..<end, with: new)
            }
            guard let node = JSONNode(parsing: bytes) else { continue }
            #expect(JSONNode(parsing: node.jsonText) == node, "VALISE_SEED=\(Self.seed): \(bytes)")
        }
    }

    private static func agrees(_ node: JSONNode, _ other: Any) -> Bool {
        switch node {
        case .null: return other is NSNull
        case .bool(let value): return other as? Bool == value
        case .number(let text): return (other as? NSNumber)?.doubleValue == Double(text)
        case .text(let text): return (other as? String).map { Array($0.utf8) } == Array(text.utf8)
        case .array(let elements):
            guard let others = other as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy { agrees($0, $1) }
        case .object(let members):
            guard let others = other as? [String: Any], others.count == members.count else { return false }
            return members.allSatisfy { member in others[member.key].map { agrees(member.value, $0) } ?? false
            }
        }
    }
}

/// Documents with all kinds of values, escapes and spaces.
private struct RandomJSON {
    private var generator: SeededGenerator

    init(_ generator: SeededGenerator) { self.generator = generator }

    mutating func document() -> String { space() + value(levels: 5) + space() }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    private mutating func space() -> String {
        number(0...3) > 0 ? "" : ["", " ", "\n", "\t", "\r\n  "].randomElement(using: &generator) ?? ""
    }

    private mutating func value(levels: Int) -> String {
        switch number(0...(levels > 0 ? 7 : 5)) {
        case 0: return ["null", "true", "false"].randomElement(using: &generator) ?? "null"
        case 1: return String(Int64.random(in: -1_000_000...1_000_000, using: &generator))
        case 2: return "\(number(-99...99)).\(number(0...999))"
        case 3: return "\(number(-9...9))\(Bool.random(using: &generator) ? "e" : "E+")\(number(0...20))"
        case 4, 5: return text()
        case 6: return list(levels) { generator in generator.value(levels: levels - 1) }
        default:
            var index = 0
            let members = list(levels) { generator in
                index += 1
                let key = "\"\(index)" + generator.text().dropFirst()
                return key + generator.space() + ":" + generator.space() + generator.value(levels: levels - 1)
            }
            return "{\(members.dropFirst().dropLast())}"
        }
    }

    /// In brackets.
    private mutating func list(_ levels: Int, _ element: (inout Self) -> String) -> String {
        var text = "[" + space()
        for index in 0..<number(0...4) {
            if index > 0 { text += "," + space() }
            text += element(&self) + space()
        }
        return text + "]"
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "words of a text, ", "é", "日本", "🚀", "\u{7f}", "\u{2028}", "e\u{301}", #"\""#, #"\\"#,
            #"\/"#, #"\n"#,
            #"\t"#, #"\b"#, #"\u00e9"#, #"\uD83D\uDE80"#, #"\u001f"#, #"\u202e"#, "/", "'",
            "0123456789abcdef",
        ]
        let chosen = (0..<number(0...8)).map { _ in pieces.randomElement(using: &generator) ?? "" }
        return "\"" + chosen.joined() + "\""
    }
}
