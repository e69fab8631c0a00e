import Testing

/// What can be done about a failure is its remedy (`Remedy`) and no sentence or clause of its message: only the commands, and
/// `Remedy.advice`, have words for it.
struct AdviceTests {
    private static let layers = ["0-Ground", "1-Engines", "2-Formats", "3-Subjects", "4-Operations"]

    /// What an advice begins with.
    private static let verbs = [
        "Add", "Approve", "Ask", "Bring", "Cancel", "Change", "Check", "Choose", "Close", "Compare",
        "Continue", "Copy", "Create", "Delete", "Discard", "Enter", "Export", "Extract", "Finish", "Free",
        "Give", "Import", "Install", "Keep", "Look", "Make", "Move", "Name", "Never", "Open", "Put",
        "Receive", "Remove", "Rename", "Repair", "Repeat", "Replace", "Restore", "Resume", "Retry", "Run",
        "See", "Select", "Send", "Set", "Start", "Stop", "Store", "Take", "Try", "Turn", "Unlock", "Update",
        "Use", "Verify", "Wait", "Write",
    ]

    /// The words of remedies, and what is generated: the descriptions of a document.
    private static let others = ["DocumentSchemas.swift", "Remedy+Advice.swift"]

    /// What stays: it is no advice about a failure, or nobody is there who could word a remedy.
    private static let kept: [String: String] = [
        "AccountMove+Cancelling.swift: never": "a warning; what can be done is the remedy beside it",
        "ChunkFolder.swift: check": "goes to the log of a relay",
        "FolderRelay.swift: move": "a warning in the log of a relay",
        "MoveNotices.swift: use": "a note of an operation, which is data",
        "NewPassphraseDialog.swift: add": "a prompt",
        "NewPassphraseDialog.swift: enter": "a prompt",
        "OptionNames.swift: use": "the values that an option has",
        "ReceivedAccount+Words.swift: check": "the next step after a success",
        "ReceivedAccount+Words.swift: finish": "the next step after a success",
        "RecoverySheet+Details.swift: enter": "printed on a sheet",
        "RestoreJob.swift: restore": "the name of a change",
        "SessionGroupChange.swift: name": "a noun",
        "TerminalText.swift: run": "how the commands begin a hint",
        "ZipError.swift: name": "a noun",
    ]

    @Test func `no message below the commands ends with an advice`() throws {
        var found: Set<String> = []
        for layer in Self.layers {
            for file in try SourceTree.files(in: "Sources/\(layer)") where !Self.others.contains(file.name) {
                for verb in try Self.advice(in: StringLiterals(file.text).texts) {
                    found.insert("\(file.name): \(verb)")
                }
            }
        }
        let known = Set(Self.kept.keys)
        #expect(found.subtracting(known).sorted() == [], "a remedy is a value")
        #expect(known.subtracting(found).sorted() == [], "is no exception any more")
    }

    private static let statements = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ATTACH", "ORDER BY", "WHERE",
    ]

    /// The verbs that sentences and clauses after the first begin with, in lower case.
    ///
    /// After a value only a verb in upper case begins one: `\(bytes) free` does not.
    private static func advice(in literals: [String]) throws -> [String] {
        let all = verbs.joined(separator: "|")
        let sentence = try Regex(#"… (\#(all))\b"#, as: (Substring, Substring).self)
        let clause = try Regex(
            #"(?:[.?!)] |[;:,(—] ?)(?:and |or |so |then )?(\#(all))\b"#, as: (Substring, Substring).self
        )
        .ignoresCase()
        let value = #/\\\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/#
        var found: [String] = []
        var before = ""
        for literal in literals.map({ $0.replacing(value, with: "…") }) {
            // A text that goes on in the next literal.
            let text =
                before.hasSuffix(" \"") ? before.suffix(3).dropLast() + literal.dropFirst() : literal[...]
            before = literal
            guard text.contains(" "), !text.mentions(any: statements) else { continue }
            found += text.matches(of: sentence).map { $0.1.lowercased() }
            found += text.matches(of: clause).map { $0.1.lowercased() }
        }
        return found
    }

    @Test(
        arguments: [
            ([#""already exists. Choose another name.""#], ["choose"]),
            ([#""nothing fits. \(what) Try again.""#], ["try"]),
            ([#""Nothing was changed. ""#, #""Close the program.""#], ["close"]),
            ([#""the name is \(shown(a(b))); rename it""#], ["rename"]),
            ([#""expired (check the clock, or ask its operator)""#], ["check", "ask"]),
            ([#""only that is supported: export it first""#], ["export"]),
            ([#""a part of it; to receive it, give all links""#], ["give"]),
            ([#""choose another name""#, #""Choose a name""#], []),
            ([#""it ended. Nothing was changed. Movement stays.""#], []),
            ([#""\(needed) needed, \(free) free""#, #""INSERT INTO t (name, ts) SELECT 1""#], []),
        ] as [([String], [String])])
    func `advice is seen, also where a text is in two literals`(literals: [String], verbs: [String]) throws {
        #expect(try Self.advice(in: literals) == verbs)
    }
}
