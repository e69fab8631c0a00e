import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles
import ValiseKeys
import ValiseSecrets

/// Other programs read the sheet: poppler the PDF, librsvg the SVG, zbar the code on the rendered paper.
@Suite(.enabled(if: Tool.allAreThere, "needs Scripts/setup.sh --with-test-tools"))
struct RecoverySheetTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let details = RecoverySheet.Details(
        folder: "/home/ren\u{e9}e (old)/\u{1F4BC} a<b>&c", prefix: "simplex_v1", date: "2026-11-21")

    private func draw(
        _ passphrase: [UInt8], _ format: RecoverySheet.Format
    ) throws -> (file: String, outcome: RecoverySheet.Outcome) {
        var outcome: RecoverySheet.Outcome?
        let sheet = try RecoverySheet.draw(
            try SecretBytes(copying: passphrase), Self.details, as: format
        ) { outcome = $0 }
        let file = folder.appending("sheet.\(format.rawValue)")
        try FileSystem().replace(file, with: sheet.withBytes { Array($0) })
        return (file.string, try #require(outcome))
    }

    /// What a camera sees on the first page. Only square codes are looked for: in the squares of a dense one the scanner
    /// finds bars of another kind now and then.
    /// - Parameter resolution: dots per inch; a dense code needs more of them.
    private func scanned(_ file: String, resolution: Int = 100) throws -> [UInt8] {
        var picture = folder.appending("page").string
        if file.hasSuffix(".pdf") {
            // Not as PNG: packing takes ten times as long as drawing.
            try Tool.run(
                "pdftoppm",
                ["-r", "\(resolution)", "-gray", "-f", "1", "-l", "1", "-singlefile", file, picture])
            picture += ".pgm"
        } else {
            picture += ".png"
            try Tool.run(
                "rsvg-convert", ["-d", "\(resolution)", "-p", "\(resolution)", file, "-o", picture])
        }
        return try Tool.run(
            "zbarimg",
            ["--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary", picture])
    }

    /// The signs on an SVG, from its text alone.
    private func signs(svg: String) throws -> String {
        let text = try String(contentsOfFile: svg, encoding: .utf8)
        let lines = text.matches(of: #/<text class="passphrase"[^>]*>(.*?)<\/text>/#).map { match in
            match.1.replacing(#/<\/?tspan[^>]*>/#, with: "").replacing("&lt;", with: "<")
                .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
        return lines.joined()
    }

    /// The signs on a PDF, as poppler copies them.
    private func signs(pdf: String, _ expected: String) throws -> Bool {
        let text = String(decoding: try Tool.run("pdftotext", ["-raw", pdf, "-"]), as: UTF8.self)
        // Each line has its number before it where there are several.
        let lines = text.split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(of: "Passphrase") else { return false }
        let rest = lines[(start + 1)...].map { $0.replacing(#/^\d+ /#, with: "") }.joined()
        return rest.hasPrefix(expected) || rest.contains(expected)
    }

    private func escaped(_ passphrase: [UInt8]) -> String {
        let isPlain = passphrase.allSatisfy { (0x20...0x7E).contains($0) }
        return passphrase.map { byte -> String in
            if (0x20...0x7E).contains(byte), isPlain || (byte != 0x5C && byte != 0x27) {
                return String(UnicodeScalar(byte))
            }
            return "\\x" + String(format: "%02X", byte)
        }.joined()
    }

    @Test(arguments: [
        "OA5UzUsJfHEBAeA/bq11U4172peRUkUMPMpfr66WGyE=", "1", "12", "correct horse battery staple",
        #"it's (a) <b> & "c" \ d"#, "\\", "((((((((((", " ", "  two  spaces  ", "caf\u{e9}", "cafe\u{301}",
        "\u{1F600}\u{1F680}", "tab\tline\nend", "\u{43F}\u{430}\u{440}\u{43E}\u{43B}\u{44C} \u{448}\u{442}",
        "x'5a5a5a5a'", "</text></svg>", "]]>", "0OoIl1", "%41%%", "\\xC3\\xA9\u{e9}'",
    ])
    func `text and code give the passphrase back, from both formats`(passphrase: String) throws {
        let bytes = Array(passphrase.utf8)
        let pdf = try draw(bytes, .pdf)
        #expect(pdf.outcome.hasCode)
        #expect(pdf.outcome.isEscaped == !bytes.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(try scanned(pdf.file) == bytes)
        if !passphrase.allSatisfy({ $0 == " " }) {
            #expect(try signs(pdf: pdf.file, escaped(bytes)))
        }
        let svg = try draw(bytes, .svg)
        #expect(try scanned(svg.file) == bytes)
        #expect(try signs(svg: svg.file) == escaped(bytes))
    }

    @Test func `bytes that are no text are on the sheet too, and bash gives them back`() throws {
        let bytes: [UInt8] = [0xFF, 0x27, 0x5C, 0x41, 0xC3, 0x01, 0x30]
        let svg = try draw(bytes, .svg)
        #expect(try scanned(svg.file) == bytes)
        let signs = try signs(svg: svg.file)
        #expect(signs == "\\xFF\\x27\\x5CA\\xC3\\x010")
        #expect(try Tool.run("bash", ["-c", "printf '%b' '\(signs)'"]) == bytes)
    }

    @Test(arguments: [15, 300, 800, 2331, 2332, 2953])
    func `long ones have a code up to what a code holds`(count: Int) throws {
        let seed = UInt64.random(in: 0...(.max))
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0x21...0x7E, using: &generator) }
        for format in RecoverySheet.Format.allCases {
            let sheet = try draw(bytes, format)
            #expect(sheet.outcome.hasCode)
            #expect(try scanned(sheet.file, resolution: 200) == bytes, "VALISE_SEED=\(seed) \(format)")
        }
        #expect(try signs(svg: draw(bytes, .svg).file) == escaped(bytes))
    }

    @Test(arguments: [2954, 10 << 10, 64 << 10])
    func `longer ones go without a code over several pages`(count: Int) throws {
        let bytes = [UInt8](repeating: 0x1F, count: count)
        let pdf = try draw(bytes, .pdf)
        #expect(!pdf.outcome.hasCode)
        let information = String(decoding: try Tool.run("pdfinfo", [pdf.file]), as: UTF8.self)
        #expect(information.firstMatch(of: #/Pages: +(\d+)/#)?.1 == "\(pdf.outcome.pages)")
        let svg = try draw(bytes, .svg)
        #expect(svg.outcome == pdf.outcome)
        #expect(try signs(svg: svg.file) == escaped(bytes))
        #expect(try Tool.run("pdftotext", [pdf.file, "-"]).split(separator: 0x0C).count == pdf.outcome.pages)
    }

    @Test func `what it belongs to stands on it, in letters of every kind`() throws {
        let text = String(
            decoding: try Tool.run("pdftotext", ["-raw", draw([0x61], .pdf).file, "-"]), as: UTF8.self)
        #expect(text.contains("/home/ren\u{e9}e (old)/\\u{1f4bc} a<b>&c"))
        #expect(text.contains("simplex_v1_chat.db and simplex_v1_agent.db"))
        #expect(text.contains("2026-11-21"))
        let svg = try String(contentsOfFile: draw([0x61], .svg).file, encoding: .utf8)
        #expect(svg.contains("/home/ren\u{e9}e (old)/\u{1F4BC} a&lt;b&gt;&amp;c"))
    }
}
