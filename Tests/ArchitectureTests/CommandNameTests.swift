import Testing

/// A library does not know the program that uses it: it says what can be done by type (`Remedy`), and only the commands have
/// words for that.
struct CommandNameTests {
    private static let layers = ["0-Ground", "1-Engines", "2-Formats", "3-Subjects", "4-Operations"]

    /// What files and digests begin with, whatever the program is called.
    private static let formats: Set<String> = [
        #""valise archive image 1""#, #""valise database content 1""#, #""valise key 1\n""#,
        #""valise media list 1""#, #""valise move proof 1""#, #""valise transfer 1\n""#,
    ]

    /// The text of a settings file on disk, which its reader edits by hand: it names the program that reads it.
    private static let textOnDisk = "RelaySettings+Text.swift"

    @Test func `no text below the commands names a command of the program or an option`() throws {
        var count = 0
        for layer in Self.layers {
            for file in try SourceTree.files(in: "Sources/\(layer)") where file.name != Self.textOnDisk {
                for literal in StringLiterals(file.text).texts where !Self.formats.contains(literal) {
                    count += 1
                    #expect(!Self.namesCommand(literal), "\(file.name): \(literal)")
                }
            }
        }
        #expect(count > 3000, "the sources were not read")
    }

    private static func namesCommand(_ literal: String) -> Bool {
        literal.contains("valise ") || literal.contains(#/valise-[a-z]+ [a-z]/#)
            || literal.contains(#/(?:^"*|[ '"(])--[a-z]/#)
    }

    @Test(arguments: [
        (#"let a = "one" // "two""#, [#""one""#]),
        (#"/* "no" */ f("a\"b", "c")"#, [#""a\"b""#, #""c""#]),
        (##"let a = #"raw "x" \(not)"#; g("y")"##, [##"#"raw "x" \(not)"#"##, #""y""#]),
        (#"f("a \(g("--in") + "b") c")"#, [#""a \(g("--in") + "b") c""#]),
        (
            "let a = \"\"\"\n    one\n    \"two\"\n    \"\"\"\nf(\"x\")",
            ["\"\"\"\n    one\n    \"two\"\n    \"\"\"", "\"x\""]
        ),
    ])
    func `literals are told from comments and from each other`(source: String, texts: [String]) {
        #expect(StringLiterals(source).texts == texts)
    }

    @Test(arguments: [
        "'valise account recover'", "Run 'valise-relay init' first", "use --force", "(--max-ratio)",
        "--delete deletes at once",
    ])
    func `names of commands and options are seen`(text: String) {
        #expect(Self.namesCommand("\"\(text)\""))
    }

    @Test(arguments: ["-----BEGIN CERTIFICATE-----", "-journal", "a - b", "SELECT 1 -- x", "Valise itself"])
    func `what only looks like them is not`(text: String) {
        #expect(!Self.namesCommand("\"\(text)\""))
    }
}

/// The string literals of a Swift source, with their quotes and with what is interpolated.
struct StringLiterals {
    private(set) var texts: [String] = []
    private let source: [UInt8]
    private var place = 0

    init(_ source: String) {
        self.source = Array(source.utf8)
        while place < self.source.count { step() }
    }

    private mutating func step() {
        if has("//") {
            while place < source.count, source[place] != UInt8(ascii: "\n") { place += 1 }
        } else if has("/*") {
            while place < source.count, !has("*/") { place += 1 }
            place += 2
        } else if let literal = literal() {
            texts.append(literal)
        } else {
            place += 1
        }
    }

    /// One that begins here; nil where none does.
    private mutating func literal() -> String? {
        let start = place
        var hashes = 0
        while place < source.count, source[place] == UInt8(ascii: "#") {
            (place, hashes) = (place + 1, hashes + 1)
        }
        guard place < source.count, source[place] == UInt8(ascii: "\"") else {
            place = max(start, hashes > 0 ? place - 1 : place)
            return nil
        }
        let quote = has("\"\"\"") ? "\"\"\"" : "\""
        let end = quote + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        place += quote.utf8.count
        while place < source.count, !has(end) {
            if has(escape + "(") {
                place += escape.utf8.count + 1
                skipInterpolation()
            } else {
                place += has(escape) ? escape.utf8.count + 1 : 1
            }
        }
        place = min(source.count, place + end.utf8.count)
        return String(decoding: source[start..<place], as: UTF8.self)
    }

    /// Behind the closing parenthesis. Literals within are a part of the one around them.
    private mutating func skipInterpolation() {
        var depth = 1
        while place < source.count, depth > 0 {
            if literal() != nil { continue }
            if source[place] == UInt8(ascii: "(") { depth += 1 }
            if source[place] == UInt8(ascii: ")") { depth -= 1 }
            place += 1
        }
    }

    private func has(_ text: String) -> Bool { source[place...].starts(with: text.utf8) }
}
