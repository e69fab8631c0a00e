import Foundation
import TestPeers
import Testing
import ValiseChatSchema
import ValiseEncoding

/// From parts back to what is typed.
struct FormattedMarkupTests {
    private static let texts: [String] = {
        guard
            let data = try? String(
                contentsOf: Repository.beside("Fixtures/chat-log/markdown.jsonl"), encoding: .utf8)
        else {
            return []
        }
        return data.split(separator: "\n").compactMap { JSONNode(parsing: String($0))?["text"]?.textValue }
    }()

    @Test func `the parts of every vector are typed again`() {
        #expect(Self.texts.count >= 82)
        for text in Self.texts {
            let parsed = FormattedText(text)
            #expect(FormattedText(parsed.markup) == parsed, "\(text)")
            #expect(FormattedText(parts: parsed.parts) == parsed, "\(text)")
        }
    }

    @Test(arguments: [
        ("!red fire! *a* _b_ ~c~ `d` #e# !- f!", "!1 fire! *a* _b_ ~c~ `d` #e# !- f!"),
        ("##x### y", "##x### y"), ("*a**b*", "*ab*"), ("plain", "plain"), ("", ""), ("/do it", "/do it"),
        ("@'a b' [n](https://a.example/x)", "@'a b' [n](https://a.example/x)"),
    ])
    func `what is typed comes back in its shortest form`(text: String, markup: String) {
        #expect(FormattedText(text).markup == markup)
    }

    @Test(arguments: [
        [FormattedText.Part("a*b", .bold)], [.init(" a", .italic)], [.init("", .code)],
        [.init("a\nb", .secret)],
        [.init("x"), .init("y", .bold)], [.init("*x*")],
    ])
    func `parts that no text has are refused`(parts: [FormattedText.Part]) {
        #expect(FormattedText(parts: parts) == nil)
    }

    @Test func `parts that a text has are taken`() {
        let parts: [FormattedText.Part] = [
            .init("see "), .init("this", .bold), .init(" and "), .init("that", .colored(.cyan)), .init("."),
        ]
        #expect(FormattedText(parts: parts)?.markup == "see *this* and !5 that!.")
        #expect(FormattedText(parts: parts)?.shownText == "see this and that.")
    }

    /// Texts of the marks themselves, in every order.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `random texts come back with the same parts`(seed: UInt64) {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "*", "_", "~", "`", "#", "!", "1", "-", " ", " ", "a", "b.c", "@", "'", "[", "](", ")", "/", "\n",
            "é", "+49", "12",
        ]
        for _ in 0..<200 {
            let text = (0..<(1 + next(14))).map { _ in pieces[next(pieces.count)] }.joined()
            let parsed = FormattedText(text)
            #expect(FormattedText(parsed.markup) == parsed, "seed \(seed): \(text.debugDescription)")
        }
    }
}
