import FaultInjection
import Foundation
import Testing

@testable import ValiseChatSchema

/// Formats of texts. `VALISE_SEED` repeats the random texts of an earlier run.
struct FormattedTextTests {
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap(UInt64.init)
        ?? UInt64.random(in: 0...UInt64.max)

    @Test func `the vectors of texts`() throws {
        let vectors = try ChatLogVectors.lines("markdown")
        #expect(vectors.count == 82)
        for vector in vectors {
            let text = FormattedText(try vector.text("text"))
            let number = Comment(rawValue: "vector \(vector["n"] ?? "")")
            guard let expected = vector["formatted"] as? [[String: Any]] else {
                #expect(text.isUnformatted, number)
                #expect(text.parts.map(\.text).joined() == (try vector.text("text")), number)
                continue
            }
            #expect(text.parts.map(\.text) == expected.map { $0["text"] as? String }, number)
            let formats = expected.map { $0["format"] as? [String: String] }
            #expect(text.parts.map { $0.format.map(Self.words) } == formats, number)
        }
    }

    private static func words(_ format: TextFormat) -> [String: String] {
        switch format {
        case .bold: ["type": "bold"]
        case .italic: ["type": "italic"]
        case .strikethrough: ["type": "strikeThrough"]
        case .code: ["type": "snippet"]
        case .secret: ["type": "secret"]
        case .small: ["type": "small"]
        case .colored(let color): ["type": "colored", "color": color.rawValue]
        case .link: ["type": "uri"]
        case .namedLink(let name, let address): ["type": "hyperLink", "showText": name, "linkUri": address]
        case .simplexLink: ["type": "simplexLink"]
        case .simplexName: ["type": "simplexName"]
        case .command(let text): ["type": "command", "commandStr": text]
        case .mention(let name): ["type": "mention", "memberName": name]
        case .email: ["type": "email"]
        case .phone: ["type": "phone"]
        }
    }

    @Test(
        arguments: [
            ("\u{a0}/go now", [.command("go now")]), ("\t/go", [.command("go")]), ("either/or", [nil]),
            ("/go\n", [.command("go")]),
            ("end.Begin", [.link]), ("end. Begin", [nil]), ("a\tb.org", [nil]), ("*a**b*", [.bold]),
            ("a\r\n*b*", [nil, .bold]), ("a/ftp://b.org", [nil]),
            ("simplex:/a#b", [.simplexLink(name: nil, address: "simplex:/a#b")]),
            ("[x](simplex:/a#b)", [.simplexLink(name: "x", address: "simplex:/a#b")]),
            ("[x](simplex:/contact#/?v=2)", [nil]),
            ("[x](https://a.b c)", [nil]), ("https://a@b@c.d:80/", [.link]), ("https://a.b:c/", [nil]),
            ("#é", [nil]),
            ("0 0 0 0 0 0 0 0 0 0 0 0", [nil, .phone]), ("0 0 0 0", [.phone]),
        ] as [(String, [TextFormat?])])
    func `rules at their borders`(text: String, formats: [TextFormat?]) {
        #expect(FormattedText(text).parts.map(\.format) == formats)
    }

    /// With what formats are made of.
    private static let pieces = [
        "*", "_", "~", "`", "#", "!", "@", "/", "[", "]", "(", ")", "](", "+", "0", "12345", ".", ":", "-",
        "'", " ", "  ",
        "\n", "\t", "\r\n", "!1 ", "!-\u{a0}", "a", "word", "é", "кот", "🚀", "\u{301}", "\0", "a.org",
        "https://", "simplex:/",
        "a#", "x@y.z", ",", "»",
    ]

    @Test func `the parts never have more than the text, and in its order`() {
        var generator = SeededGenerator(seed: Self.seed)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            let parsed = FormattedText(text)
            var rest = text.unicodeScalars[...]
            for scalar in parsed.parts.flatMap({ Array($0.text.unicodeScalars) }) {
                let place = rest.firstIndex(of: scalar)
                #expect(place != nil, "VALISE_SEED=\(Self.seed): \(text.debugDescription)")
                rest = rest[(place.map(rest.index(after:)) ?? rest.endIndex)...]
            }
            let isSame = parsed.parts.count <= 1 && parsed.isUnformatted
            if isSame { #expect(parsed.parts.map(\.text).joined() == text) }
            #expect(
                !parsed.parts.contains { $0.text.isEmpty },
                "VALISE_SEED=\(Self.seed): \(text.debugDescription)")
        }
    }

    /// What the bytes let pass at once is what the parser would find nothing in.
    @Test func `a text without marks has no format`() {
        var generator = SeededGenerator(seed: Self.seed)
        var count = 0
        for _ in 0..<50_000 {
            let line = (0..<Int.random(in: 1...5, using: &generator))
                .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
                .replacing("\n", with: " ")
            guard !FormatMarks.mayFormat(line.utf8) else { continue }
            count += 1
            var parser = FormattedTextParser(line[...])
            #expect(
                parser.parse().allSatisfy { $0.format == nil },
                "VALISE_SEED=\(Self.seed): \(line.debugDescription)")
        }
        #expect(count > 1000)
    }

    @Test func `random bytes never trap`() {
        var generator = SeededGenerator(seed: Self.seed)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = FormattedText(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static let marks = [
        "*", "_", "~", "`", "#", "!", "@", "/", "[", "](", "+", "0", ".", "!1 ", "@'", "/'", "[a](",
        "[a](https://a.b",
        "https://", "simplex:/a#", "a@", "a.b", "@a.b", "\u{a0}", "\n",
    ]

    /// A quadratic time would be some seconds, and sixteen times as long for four times the length. Where the machine is busy, or
    /// the build is for a debugger, the best of several measurements counts.
    @Test(arguments: marks)
    func `the time is proportional to the length, whatever it is made of`(mark: String) {
        for other in ["", " ", "a ", "[ "] {
            #expect(Self.isLinear(mark + other), "\((mark + other).debugDescription)")
        }
    }

    private static func isLinear(_ piece: String) -> Bool {
        var (short, long) = (Duration.seconds(1000), Duration.seconds(1000))
        for _ in 0..<10 {
            long = min(long, time(piece, 100_000))
            if long < .milliseconds(500) { return true }
            short = min(short, time(piece, 25_000))
            if long < short * 9 { return true }
        }
        return false
    }

    /// With the end of a link, for which all of it could be the name.
    private static func time(_ piece: String, _ count: Int) -> Duration {
        let text = String(repeating: piece, count: count) + "](https://a.b)"
        return ContinuousClock().measure { _ = FormattedText(text).parts.count }
    }
}
