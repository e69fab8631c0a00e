import FaultInjection
import Foundation
import Testing
import ValiseArchives

@testable import ValiseMedia

struct SafeFileNameTests {
    @Test(arguments: [
        ("photo.jpg", "photo.jpg"), ("Übersicht 2026 (final).pdf", "Übersicht 2026 (final).pdf"),
        ("写真 👩‍👩‍👧‍👦.png", "写真 👩‍👩‍👧‍👦.png"), ("a/b\\c.txt", "a_b_c.txt"), ("..", "file"), (".", "file"), ("", "file"),
        ("   ", "file"), ("../../etc/passwd", "_.._.._etc_passwd"), (".bashrc", "_.bashrc"),
        ("con", "_con"), ("CON .txt", "_CON .txt"), ("lpt¹.log", "_lpt¹.log"), ("console.txt", "console.txt"),
        ("what?.jpg", "what_.jpg"), ("a\u{0}b\nc\u{7f}.txt", "a_b_c_.txt"), ("dots...", "dots"),
        ("trailing .", "trailing"), ("\u{202e}gpj.exe", "_gpj.exe"), ("a:b|c<d>e\"f*", "a_b_c_d_e_f_"),
        ("/\u{301}x", "_\u{301}x"),
    ])
    func `a name is made safe and stays what it is`(_ name: String, _ expected: String) {
        #expect(SafeFileName(name, fallback: "file").text == expected)
    }

    @Test func `a long name keeps its extension and its number`() {
        let name = SafeFileName(String(repeating: "ä", count: 300) + ".jpeg", fallback: "file")
        #expect(name.text.utf8.count <= 255 && name.text.utf8.count > 250)
        #expect(name.text.hasSuffix("ä.jpeg"))
        #expect(name.numbered(12).hasSuffix("ä (12).jpeg") && name.numbered(12).utf8.count <= 255)
        let zalgo = SafeFileName("a" + String(repeating: "\u{301}", count: 400) + ".txt", fallback: "file")
        #expect(zalgo.text.utf8.count <= 255 && zalgo.text.hasSuffix(".txt"))
        #expect(zalgo.text.unicodeScalars.first == "a")
        #expect(
            SafeFileName("a." + String(repeating: "b", count: 400), fallback: "file").text.utf8.count == 255)
        #expect(SafeFileName("photo.tar.gz", fallback: "file").numbered(2) == "photo.tar (2).gz")
    }

    @Test func `no name at all breaks a rule of any file system`() {
        let seed =
            ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...999_999)
        print("seed of the names: \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces =
            [
                ".", " ", "/", "\\", "..", "con", "AUX", "nul.", "\u{0}", "é", "e\u{301}", "👩‍👧", "\u{202e}",
                ":", "x",
            ]
            + [String(repeating: "long ", count: 60), String(repeating: "\u{308}", count: 140), ".jpg"]
        for _ in 0..<5000 {
            let name = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let safe = SafeFileName(name, fallback: "file")
            for number in [1, 2, 10_000] {
                let fault = ZipName.fault(ofComponent: safe.numbered(number))
                #expect(fault == nil, "\(name.debugDescription): \(safe.numbered(number))")
            }
        }
    }
}
