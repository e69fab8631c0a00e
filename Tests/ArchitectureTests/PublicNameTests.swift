import Testing

/// Public names have the words of the table, too (`Documentation/words.md`): whoever uses the library writes them.
struct PublicNameTests {
    /// Of names only: in a sentence each of them may be the right word.
    private static var others: [(pattern: Regex<Substring>, part: String, word: String)] {
        [
            (#/\bwhole\b/#, "whole", "complete, intact"), (#/\bgood\b/#, "good", "intact, valid"),
            (#/\bholds\b/#, "holds", "intact, valid"), (#/\bdue\b/#, "due", "pending"),
            (#/\bunproved\b/#, "unproved", "unverified"), (#/\btells?\b/#, "tell", "show, print"),
            (#/\btravel\b/#, "travel", "transfer"),
        ]
    }

    /// Names that keep such a word, each with its reason. There is none.
    private static let exceptions: Set<String> = []

    /// The declarations that say so, the cases of public enums, and the requirements of public protocols.
    private static func declarations(in file: SourceTree.File) throws -> [String] {
        let head = try Regex(
            #"^( *)(?:@[\w.]+(?:\([^)]*\))?\s+)*public (?:indirect )?(enum|protocol) "#,
            as: (Substring, Substring, Substring).self)
        var found: [String] = []
        // The beginnings of what is public in it without the word, and its end.
        var members: [String] = []
        var end = ""
        var lines = file.code.split(separator: "\n")[...]
        while let line = lines.popFirst() {
            if !end.isEmpty, line.hasPrefix(end) { (members, end) = ([], "") }
            if line.mentions(any: ["public "]), let match = line.firstMatch(of: head) {
                let inside = "\(match.output.1)    "
                members =
                    match.output.2 == "enum" ? ["case "] : ["func ", "var ", "init(", "associatedtype "]
                (members, end) = (members.map { inside + $0 }, "\(match.output.1)}")
            }
            let start = line.drop { $0 == " " }
            let isPublic = start.hasPrefix("public ") || start.hasPrefix("@") && start.contains(" public ")
            let isMember = members.contains { line.hasPrefix($0) }
            guard isPublic && !start.hasPrefix("public import ") || isMember else { continue }
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
                var whole: Bool { true }
            }
            public init(
                plain: String = "act", of room: Int
            ) {
                let due = 1
            }
            """
        let found = try Self.declarations(in: SourceTree.File(path: "Sources/A.swift", text: code))
        #expect(found.count == 3 && found[1] == "    case good = ")
        #expect(found[2].contains("plain: String") && found[2].contains("of room: Int"))
    }

    @Test func `each thing has one word in public names`() throws {
        var names: [String: String] = [:]
        var count = 0
        for file in try SourceTree.files() where file.mentions("public ") {
            for declaration in try Self.declarations(in: file) {
                count += 1
                for match in declaration.matches(of: #/[A-Za-z_]\w*/#) {
                    names[String(match.0)] = file.path
                }
            }
        }
        #expect(count > 1000 && names.count > 600)
        let others = (WordsTests.others + Self.others)
            .map { ($0.pattern.wordBoundaryKind(.simple), [$0.part], $0.word) }
        var kept: Set<String> = []
        for (name, path) in names {
            let words = Self.words(of: name[...])
            for (pattern, part, word) in others where words.mentions(any: part) {
                guard let match = words.firstMatch(of: pattern) else { continue }
                if Self.exceptions.contains(name) {
                    kept.insert(name)
                } else {
                    Issue.record("\(path): \(match.0), not \(word): \(name)")
                }
            }
        }
        #expect(kept == Self.exceptions, "a name is no exception any more")
    }
}
