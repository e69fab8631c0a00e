import Testing
import ValiseTerminal

/// What is proposed for a command that there is not.
struct CommandTreeTests {
    private let tree = CommandTree(
        "tool",
        [
            CommandTree("store", [CommandTree("list"), CommandTree("check")]),
            CommandTree("job", [CommandTree("list"), CommandTree("stop")]), CommandTree("start"),
        ])

    private func unknown(_ words: String...) -> String? {
        tree.unknown(words, ["job kill": "job stop", "save": "store check", "other": "elsewhere go"])
    }

    @Test func `what exists, and what cannot be judged, is not complained of`() {
        #expect(unknown() == nil && unknown("store", "check", "lst") == nil)
        #expect(unknown("start", "anything") == nil && unknown("--all", "lst") == nil)
    }

    @Test func `the nearest name of the group is proposed`() {
        #expect(unknown("stor") == "unknown command 'stor'. Did you mean 'store'?")
        #expect(unknown("store", "lsit") == "unknown command 'lsit'. Did you mean 'list'?")
        #expect(unknown("frobnicate") == "unknown command 'frobnicate'")
    }

    @Test func `no name is proposed that differs in more than a letter of three`() {
        #expect(unknown("job", "stpo") == "unknown command 'stpo'. Did you mean 'stop'?")
        #expect(unknown("job", "show") == "unknown command 'show'")
        #expect(unknown("sxarx") == "unknown command 'sxarx'")
        #expect(unknown("xj") == "unknown command 'xj'")
        #expect(unknown("jb") == "unknown command 'jb'. Did you mean 'job'?")
    }

    @Test(arguments: [
        ("--serve", "--force", false), ("--wait", "--quiet", false), ("--jsno", "--json", true),
        ("-output", "--output", true), ("--passphrase", "--passphrase-fd", true),
        ("--all", "--fail", false),
    ])
    func `nor an option, whatever the parser proposes`(typed: String, proposed: String, isLikely: Bool) {
        let unknown = "Unknown option '\(typed)'"
        let message = "\(unknown). Did you mean '\(proposed)'?"
        #expect(CommandTree.withoutUnlikelyOption(message) == (isLikely ? message : unknown))
        #expect(CommandTree.withoutUnlikelyOption(unknown) == unknown)
    }

    @Test func `commands of that name in other groups and synonyms come first`() {
        #expect(unknown("check") == "unknown command 'check'. Did you mean 'tool store check'?")
        #expect(
            unknown("list") == "unknown command 'list'. Did you mean 'tool store list' or 'tool job list'?")
        #expect(unknown("save") == "unknown command 'save'. Did you mean 'tool store check'?")
        #expect(unknown("job", "kill") == "unknown command 'kill'. Did you mean 'tool job stop'?")
        #expect(unknown("other") == "unknown command 'other'")
    }

    @Test func `what is misspelled is found in other groups and among synonyms, too`() {
        #expect(unknown("chekc") == "unknown command 'chekc'. Did you mean 'tool store check'?")
        #expect(unknown("store", "stpo") == "unknown command 'stpo'")
        #expect(unknown("job", "chekc") == "unknown command 'chekc'. Did you mean 'tool store check'?")
        #expect(unknown("svae") == "unknown command 'svae'. Did you mean 'tool store check'?")
        #expect(unknown("job", "kil") == "unknown command 'kil'. Did you mean 'tool job stop'?")
    }

    @Test func `help is asked for before a group or behind it`() {
        #expect(tree.withHelpFirst(["store", "help", "list"]) == ["help", "store", "list"])
        #expect(tree.withHelpFirst(["store", "help"]) == ["help", "store"])
        for words in [["start", "help"], ["store", "list", "help"], ["other", "help"], ["help"], []] {
            #expect(tree.withHelpFirst(words) == words)
        }
    }

    @Test func `of a group that was not named, only what reads is proposed`() {
        #expect(unknown("job", "check") == "unknown command 'check'. Did you mean 'tool store check'?")
        #expect(unknown("store", "stop") == "unknown command 'stop'")
        #expect(unknown("stop") == "unknown command 'stop'. Did you mean 'tool job stop'?")
    }
}
