import Testing

/// What can be done about a failure is its remedy (`Remedy`) and no sentence of its message: only the commands have words
/// for it.
struct AdviceTests {
    private static let layers = ["0-Ground", "1-Engines", "2-Formats", "3-Subjects", "4-Operations"]

    /// What an advice begins with.
    private static let verbs = [
        "Add", "Approve", "Ask", "Bring", "Cancel", "Change", "Check", "Choose", "Close", "Compare",
        "Continue",
        "Copy", "Create", "Delete", "Discard", "Enter", "Finish", "Free", "Give", "Import", "Install", "Keep",
        "Look", "Make", "Move", "Name", "Never", "Open", "Put", "Receive", "Remove", "Rename", "Repair",
        "Repeat", "Replace", "Restore", "Resume", "Retry", "Run", "See", "Select", "Send", "Set", "Start",
        "Stop", "Store", "Take", "Try", "Turn", "Unlock", "Update", "Use", "Wait",
    ]

    /// Generated, and the descriptions of a document.
    private static let schemas = "DocumentSchemas.swift"

    /// What stays: the sentence is no advice about a failure, or nobody is there who could word a remedy.
    private static let kept: [String: String] = [
        "AccountMove+Cancelling.swift: Never": "a warning; what can be done is the remedy beside it",
        "ChunkFolder.swift: Check": "goes to the log of a relay",
        "FolderRelay.swift: Move": "a warning in the log of a relay",
        "MoveNotices.swift: Use": "a note of an operation, which is data",
        "NewPassphraseDialog.swift: Enter": "a prompt",
    ]

    @Test func `no message below the commands ends with an advice`() throws {
        var found: Set<String> = []
        for layer in Self.layers {
            for file in try SourceTree.files(in: "Sources/\(layer)") where file.name != Self.schemas {
                for verb in try Self.advice(in: StringLiterals(file.text).texts) {
                    found.insert("\(file.name): \(verb)")
                }
            }
        }
        let known = Set(Self.kept.keys)
        #expect(found.subtracting(known).sorted() == [], "a remedy is a value")
        #expect(known.subtracting(found).sorted() == [], "is no exception any more")
    }

    /// The verbs that sentences after the first begin with.
    private static func advice(in literals: [String]) throws -> [String] {
        let pattern = try Regex(
            #"[.?!)] (\#(verbs.joined(separator: "|")))\b"#, as: (Substring, Substring).self)
        var found: [String] = []
        var before = ""
        for literal in literals {
            // A text that goes on in the next literal.
            let text =
                before.hasSuffix(" \"") ? before.suffix(3).dropLast() + literal.dropFirst() : literal[...]
            found += text.matches(of: pattern).map { String($0.1) }
            before = literal
        }
        return found
    }

    @Test(
        arguments: [
            ([#""already exists. Choose another name.""#], ["Choose"]),
            ([#""nothing fits. \(what) Try again.""#], ["Try"]),
            ([#""Nothing was changed. ""#, #""Close the program.""#], ["Close"]),
            ([#""choose another name""#, #""Choose a name""#], []),
            ([#""it ended. Nothing was changed. Movement stays.""#], []),
        ] as [([String], [String])])
    func `advice is seen, also where a text is in two literals`(literals: [String], verbs: [String]) throws {
        #expect(try Self.advice(in: literals) == verbs)
    }
}
