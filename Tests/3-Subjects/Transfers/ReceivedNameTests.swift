import FaultInjection
import Testing
import ValiseTransfers

@Suite struct ReceivedNameTests {
    @Test(
        "A received name is one usual component",
        arguments: [
            ("report.pdf", "report.pdf"), ("../../etc/passwd", "passwd"), ("C:\\Users\\a.txt", "a.txt"),
            ("..", "file"),
            (".", "file"), ("", "file"), ("///", "file"), ("a/", "a"), (".bashrc", "_bashrc"),
            ("con", "_con"),
            ("NUL.txt", "_NUL.txt"), ("console", "console"), ("a\u{0}b\nc\u{7f}", "abc"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"), (" a b ", "a b"), ("name...", "name"),
            ("a:b?c*", "a_b_c_"),
            ("Grüße 👨‍👩‍👧.jpg", "Grüße 👨‍👩‍👧.jpg"), ("\u{1b}[31mred", "[31mred"),
        ])
    func names(name: String, expected: String) {
        #expect(ReceivedName.sanitised(name) == expected)
    }

    @Test("What cutting leaves is no hidden file, even where the stem is one character")
    func longCharacters() {
        let accents = String(repeating: "\u{301}", count: 100)
        let name = ReceivedName.sanitised("a" + accents + ".zshrc")
        #expect(name.utf8.starts(with: "a\u{301}".utf8) && name.hasSuffix(".zshrc") && name.utf8.count <= 200)
        #expect(ReceivedName.sanitised("." + accents + accents + ".zshrc").utf8.first == UInt8(ascii: "_"))
    }

    @Test("Whatever it is made of, a name begins with no dot, is not empty, fits, and has no separators")
    func anything() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let pieces: [Unicode.Scalar] = [
            "a", ".", ".", " ", "/", "\\", "\u{301}", "\u{200d}", "\u{1f468}", "ü", "\u{0}", "\u{202e}",
            "\u{85}",
            "\u{3000}", ":", "\r",
        ]
        for _ in 0..<5000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let piece = pieces.randomElement(using: &generator) ?? "a"
                let count = [1, 2, 60, 130].randomElement(using: &generator) ?? 1
                text.append(contentsOf: repeatElement(piece, count: count))
            }
            let name = Array(ReceivedName.sanitised(String(text)).utf8)
            let isUsual =
                !name.isEmpty && name.count <= 255 && name[0] != UInt8(ascii: ".")
                && !name.contains { [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0].contains($0) }
            #expect(isUsual, "seed \(seed): \(String(text).debugDescription)")
        }
    }

    @Test("A long name is cut at whole characters and keeps its extension")
    func long() {
        let name = ReceivedName.sanitised(String(repeating: "ü", count: 125) + ".jpeg")
        #expect(name.hasSuffix("ü.jpeg"))
        #expect(name.utf8.count <= 200)
        #expect(ReceivedName.sanitised(String(repeating: "x", count: 255)).utf8.count == 200)
        #expect(ReceivedName.sanitised("a." + String(repeating: "x", count: 250)).utf8.count == 200)
    }
}
