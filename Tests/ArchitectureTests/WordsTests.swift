import Testing

/// How the texts for users speak (`Documentation/words.md`).
struct WordsTests {
    /// What has another word, what is in it in any case, and the word. Names on disk and keys of JSON stay as they were.
    static var others: [(pattern: Regex<Substring>, part: String, word: String)] {
        [
            (#/\bacts?\b/#, "act", "operation"), (#/\bas one act\b/#, "act", "atomic"),
            (#/\bpersons?\b/#, "person", "user"), (#/\bformer\b/#, "former", "previous"),
            (#/\b(?:go|goes|going) on\b/#, " on", "resume, continue"),
            (#/\bgiv(?:e|es|en|ing) up\b/#, " up", "cancel"),
            (#/\bplain\b(?! SQLite)/#, "plain", "unencrypted, plaintext"),
            (#/\bprov(?:e|es|ed|ing)\b/#, "prov", "verify, check"),
            (#/\btells? (?:whether|you|of)\b/#, "tell", "show, print"),
            (#/\bhow it is\b/#, "how it is", "status"), (#/\bnot there\b/#, "not there", "missing"),
            (#/\binside of\b/#, "inside of", "in"),
            (#/\b(?:take|takes|taken) back\b/#, " back", "roll back"),
            (#/\b(?:give|gives|given) back\b/#, " back", "free"),
            (#/\broom\b/#, "room", "free space"), (#/\bnothing to do\b/#, "nothing to do", "up to date"),
            (#/\bout of use\b/#, "out of use", "retire"),
            (#/\bproof words?\b/#, "proof", "fingerprint words"),
            (#/\bfate\b/#, "fate", "see the table"), (#/\blookout\b/#, "lookout", "see the table"),
            (#/\bterritory\b/#, "territory", "see the table"),
            (#/\btravel plan\b/#, "travel", "see the table"),
            (#/\b(?:is|are) to be\b/#, " to be", "must, will"), (#/\blies?\b/#, "lie", "is"),
            (#/\bstands\b/#, "stands", "is"), (#/\bis meant\b/#, "is meant", "-"),
            (#/\bin the way\b/#, "in the way", "already exists"),
            (#/\bof that time\b/#, "of that time", "earlier"),
            (#/\btells\b/#, "tells", "shows, reports"),
            (#/\bwhat is left\b/#, "what is left", "leftover files"),
            (#/\bnot what it was\b/#, "not what it was", "damaged"),
            (#/\bwritten so far\b/#, "written so far", "temporary file"),
            (#/\bto another schema\b/#, "another schema", "upgrade, downgrade"),
            (#/\bwho asked\b/#, "who asked", "user"), (#/\be\.g\./#, "e.g.", "for example"),
            (#/\bi\.e\./#, "i.e.", "that is"),
            (#/\betc\./#, "etc.", "and so on"),
        ]
    }

    /// Texts of several words; statements of SQL are none.
    private static func texts(of file: SourceTree.File) -> [String] {
        let blocks = file.code.matches(of: #/"""\n((?s:.*?))"""/#).map { String($0.1) }
        let rest = file.code.replacing(#/"""\n(?s:.*?)"""/#, with: "")
        let lines = rest.matches(of: #/"((?:[^"\\\n]|\\.)*)"/#).map { String($0.1) }
        return (blocks + lines).filter {
            $0.contains(" ") && !$0.contains(#/\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|FROM|WHERE)\b/#)
        }
    }

    @Test func `each thing has one word in the texts`() throws {
        var count = 0
        let others = Self.others.map { ($0.pattern.wordBoundaryKind(.simple), [$0.part], $0.word) }
        for file in try SourceTree.files()
        where !file.path.contains("/SampleAccounts/") && !file.path.hasPrefix("Sources/6-Programs/") {
            for text in Self.texts(of: file) {
                count += 1
                // What is interpolated is code, and options and types of content keep their names.
                let words = text.replacing(#/\\\((?:[^()]|\([^()]*\))*\)|--[a-z-]+|text\/plain/#, with: "…")
                for (pattern, part, word) in others where words.mentions(any: part) {
                    if let match = words.firstMatch(of: pattern) {
                        Issue.record("\(file.path): \(match.0), not \(word): \(words.prefix(120))")
                    }
                }
            }
        }
        #expect(count > 2500)
    }

    /// Those of which none is left: comments have more of the others, which say what they mean where they are.
    @Test func `comments have the words of the table too`() throws {
        let others = ["act", "former", "lookout", "territory"]
        let pattern = #/\b(?:acts?|former|lookouts?|territor(?:y|ies))\b/#.ignoresCase().wordBoundaryKind(
            .simple)
        var count = 0
        for file in try SourceTree.files() {
            for line in file.lines where line.drop(while: { $0 == " " }).hasPrefix("//") {
                count += 1
                guard line.lowercased().mentions(any: others) else { continue }
                if let match = line.firstMatch(of: pattern) {
                    Issue.record("\(file.path): \(match.0), in: \(line)")
                }
            }
        }
        #expect(count > 5000)
    }

    /// Documents, articles, and what the manual pages are made of, without those that quote the terms of before: the table itself,
    /// the previous names of tests, and decisions, which are records of their time.
    private static func documents() throws -> [SourceTree.File] {
        let quoting = ["Documentation/words.md", "Documentation/tests-merged.md"]
        let pages = try SourceTree.files(in: "Documentation", types: ["md", "txt"])
            .filter { !$0.path.hasPrefix("Documentation/decisions/") && !quoting.contains($0.path) }
        let single = try ["README.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md", "CHANGELOG.md"]
            .map { SourceTree.File(path: $0, text: try SourceTree.text(of: $0)) }
        return try pages + single + SourceTree.files(types: ["md"])
    }

    @Test func `documents have the words of the table too`() throws {
        let others = Self.others.map { ($0.pattern.wordBoundaryKind(.simple), [$0.part], $0.word) }
        // Names of keys and files, quotations, targets of links, options; a folder on disk, and a term of its own.
        let names = #/`[^`]*`|"[^"]*"|\]\([^)]*\)|--[a-z-]+|former\/|\.It Pa former|Clean room/#
        var count = 0
        for file in try Self.documents() {
            for line in file.lines {
                // A version that is out keeps its words.
                if file.path == "CHANGELOG.md", line.hasPrefix("## 0.1.0") { break }
                // Commands of an example.
                if file.path.hasSuffix(".txt"), let sign = line.first, "$!%~=".contains(sign) { continue }
                count += 1
                let words = String(line).replacing(names, with: "…")
                for (pattern, part, word) in others where words.mentions(any: part) {
                    if let match = words.firstMatch(of: pattern) {
                        Issue.record("\(file.path): \(match.0), not \(word): \(line)")
                    }
                }
            }
        }
        #expect(count > 3500)
    }

    @Test func `a link to a decision has its number`() throws {
        let single = try ["README.md", "CONTRIBUTING.md", "DESIGN.md"]
            .map { SourceTree.File(path: $0, text: try SourceTree.text(of: $0)) }
        var count = 0
        for file in try SourceTree.files(in: "Documentation", types: ["md"]) + single {
            for match in file.text.matches(of: #/\[(?:decision )?([0-9]+)\]\([^)]*?([0-9]{4})-[^)]*\)/#) {
                count += 1
                #expect(Int(match.1) == Int(match.2), "\(file.path): \(match.0)")
            }
        }
        #expect(count > 20)
    }

    @Test func `an abstract is one clause of at most 60 characters`() throws {
        var count = 0
        for file in try SourceTree.files(in: "Sources/5-Commands") where file.mentions("abstract: ") {
            for match in file.code.matches(of: #/abstract: "((?:[^"\\\n]|\\.)*)"/#) {
                count += 1
                #expect(match.1.count <= 60, "\(file.name): \(match.1)")
                #expect(
                    match.1.hasSuffix(".") && !match.1.dropLast().contains(". "), "\(file.name): \(match.1)")
            }
        }
        #expect(count > 60)
    }

    /// Plurals that a text makes for itself. Constants are always more than one.
    private static var plurals: [Regex<Substring>] {
        let nouns =
            "accounts|bytes|characters|chunks|columns|connections|entries|errors|fields|files|hours|iterations|jobs|"
            + "lines|links|messages|migrations|pages|parts|problems|recipients|references|rows|seconds|times|users"
        let constant = #"[A-Z]|(?:\w+\.)*(?:most|longest)|limits\.|\w*[lL]imit\b"#
        let value = #"\\\((?!"# + constant + #")(?:[^()"]|\((?:[^()]|\([^()]*\))*\))*\)"#
        let counted = try? Regex<Substring>(value + #" (?:\w+ )?(?:"# + nouns + #")\b"#)
        return [#/[!=]= 1 \? "[^"\\]*" : "/#, #/\w\(s\)/#] + [counted].compactMap(\.self)
    }

    @Test func `plurals are made in one place`() throws {
        let plurals = Self.plurals
        #expect(plurals.count == 3)
        for text in [#"\(count) files"#, #"\(names.count - 1) more entries"#, #"x \(a(b(c))) bytes"#] {
            #expect(plurals.contains { text.contains($0) }, "\(text)")
        }
        for file in try SourceTree.files()
        where !file.path.contains("/SampleAccounts/") && !file.path.hasPrefix("Sources/6-Programs/")
            && file.name != "Count.swift"
        {
            for pattern in plurals {
                for match in file.code.matches(of: pattern) {
                    Issue.record("\(file.path): \(match.0), not Count.text")
                }
            }
        }
    }
}
