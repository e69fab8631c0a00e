import Testing

/// Public names have the words of the table, too (`Documentation/words.md`): whoever uses the library writes them. So have those
/// of the package, which whoever works on it reads.
struct PublicNameTests {
    /// Of names only: in a sentence each of them may be the right word.
    private static var others: [(pattern: Regex<Substring>, part: String, word: String)] {
        [
            (#/\bwhole\b/#, "whole", "complete, intact"), (#/\bgood\b/#, "good", "intact, valid"),
            (#/\bholds\b/#, "holds", "intact, valid"), (#/\bdue\b/#, "due", "pending"),
            (#/\bunprove[dn]\b/#, "unprove", "unverified"), (#/\bproven\b/#, "proven", "verified"),
            (#/\btells?\b/#, "tell", "show, print"),
            (#/\btravel\b/#, "travel", "transfer"),
        ]
    }

    /// Public names that keep such a word, each with its reason. There is none.
    private static let exceptions: Set<String> = []

    /// Names of the package that have such a word and are not renamed yet.
    private static let packageExceptions: Set<String> = [
        "Unproved",
        "decryptUnproved",
        "due",
        "isDue",
        "notProved",
        "plain",
        "proved",
        "proven",
        "tell",
        "tellsPaths",
        "unproven",
        "whole",
    ]

    /// An enum or a protocol around a line: the beginnings of what has its visibility without the word, and its end.
    private struct Enclosing {
        let members: [String]
        let end: String
    }

    /// The declarations that say so, the cases of such enums, and the requirements of such protocols.
    private static func declarations(
        in file: SourceTree.File, _ level: String = "public"
    ) throws -> [String] {
        let head = try Regex(
            #"^( *)(?:@[\w.]+(?:\([^)]*\))?\s+)*\#(level) (?:indirect )?(enum|protocol) "#,
            as: (Substring, Substring, Substring).self)
        var found: [String] = []
        // The innermost is the last.
        var around: [Enclosing] = []
        var lines = file.code.split(separator: "\n")[...]
        while let line = lines.popFirst() {
            while let last = around.last, line.hasPrefix(last.end) { around.removeLast() }
            let isMember = around.contains { type in type.members.contains { line.hasPrefix($0) } }
            if line.mentions(any: ["\(level) "]), let match = line.firstMatch(of: head),
                // Of one line is what has its end there.
                !line.contains("{") || line.count(where: { $0 == "{" }) > line.count(where: { $0 == "}" })
            {
                let members =
                    match.output.2 == "enum" ? ["case "] : ["func ", "var ", "init(", "associatedtype "]
                let indent = match.output.1
                around.append(
                    Enclosing(members: members.map { "\(indent)    \($0)" }, end: "\(indent)}"))
            }
            let start = line.drop { $0 == " " }
            let says = start.hasPrefix("\(level) ") || start.hasPrefix("@") && start.contains(" \(level) ")
            guard says && !start.hasPrefix("\(level) import ") || isMember else { continue }
            var text = String(line)
            while text.count(where: { $0 == "(" }) > text.count(where: { $0 == ")" }),
                let next = lines.popFirst()
            {
                text.append(contentsOf: next)
            }
            // Texts and raw values are no names.
            found.append(text.replacing(#/"(?:[^"\\]|\\.)*"|\/\/.*/#, with: ""))
        }
        return found
    }

    /// `isJSONDue` is `is json due`.
    private static func words(of name: Substring) -> String {
        name.matches(of: #/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/#).map { $0.0.lowercased() }
            .joined(separator: " ")
    }

    @Test func `names are split into their words, and what is public is found`() throws {
        #expect(
            Self.words(of: "isJSONDue") == "is json due" && Self.words(of: "_takenBack2") == "taken back 2")
        let code = """
            public import Plain
            public enum Verdict: String {
                // case former
                case good = "plain"
                public enum Kind: String {
                    case former = "plain"
                    public enum Empty {}
                }
                var whole: Bool { true }
                case due
            }
            package enum Plain {
                case told
            }
            public init(
                plain: String = "act", of room: Int
            ) {
                let due = 1
            }
            """
        let found = try Self.declarations(in: SourceTree.File(path: "Sources/A.swift", text: code))
        let beginnings = found.map { String($0.prefix { $0 != "(" }) }
        let expected = [
            "public enum Verdict: String {", "    case good = ", "    public enum Kind: String {",
            "        case former = ", "        public enum Empty {}", "    case due", "public init",
        ]
        #expect(beginnings == expected)
        #expect(found[6].contains("plain: String") && found[6].contains("of room: Int"))
        let inPackage = try Self.declarations(
            in: SourceTree.File(path: "Sources/A.swift", text: code), "package")
        #expect(inPackage == ["package enum Plain {", "    case told"])
    }

    /// - Returns: how many declarations and names there are.
    private func check(
        _ level: String, _ exceptions: Set<String>
    ) throws -> (declarations: Int, names: Int) {
        var names: [String: String] = [:]
        var count = 0
        for file in try SourceTree.files() where file.mentions("\(level) ") {
            for declaration in try Self.declarations(in: file, level) {
                count += 1
                for match in declaration.matches(of: #/[A-Za-z_]\w*/#) {
                    names[String(match.0)] = file.path
                }
            }
        }
        let others = (WordsTests.others + Self.others)
            .map { ($0.pattern.wordBoundaryKind(.simple), [$0.part], $0.word) }
        var kept: Set<String> = []
        for (name, path) in names {
            let words = Self.words(of: name[...])
            for (pattern, part, word) in others where words.mentions(any: part) {
                guard let match = words.firstMatch(of: pattern) else { continue }
                if exceptions.contains(name) {
                    kept.insert(name)
                } else {
                    Issue.record("\(path): \(match.0), not \(word): \(name)")
                }
            }
        }
        #expect(kept == exceptions, "a name is no exception any more")
        return (count, names.count)
    }

    @Test func `each thing has one word in public names`() throws {
        let count = try check("public", Self.exceptions)
        #expect(count.declarations > 1000 && count.names > 600)
    }

    @Test func `each thing has one word in the names of the package`() throws {
        let count = try check("package", Self.packageExceptions)
        #expect(count.declarations > 4000 && count.names > 2500)
    }
}
