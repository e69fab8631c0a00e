import Testing
import ValiseTerminal

/// What is said of options that there are not, and of values that an option does not have.
struct OptionNamesTests {
    private let names = OptionNames(
        help: """
            USAGE: tool [<options>]

            --not-one of them begins this line.

            OPTIONS:
              --allow-weak            Use it, with --other-name too.
              --keep-last <n>         Keep so many.
              --key-file <file>       A key.
              --qr/--no-qr            Show it.
              --version               Show the version.
              -h, --help              Show help information.
            """)

    private static let proposals: [(String, String?)] = [
        ("--verison", "'--version'"), ("--weak", "'--allow-weak'"), ("--keep", "'--keep-last'"),
        ("-k", "'--keep-last' or '--key-file'"), ("-p", "'--key-file'"), ("--hepl", "'--help'"),
        ("--not-one", nil), ("--other", nil), ("-x", nil), ("--a", "'--allow-weak'"),
    ]

    @Test(arguments: proposals)
    func `the nearest option is proposed, or one with that word`(typed: String, proposal: String?) {
        let message = "unknown option '\(typed)'"
        let expected = proposal.map { "\(message). Did you mean \($0)?" } ?? message
        #expect(names.worded(message, ["-p": "--key-file", "-x": "--missing"]) == expected)
    }

    @Test func `what the parser proposes and says otherwise stays`() {
        for message in [
            "unknown option '--kee'. Did you mean '--keep'?", "missing expected argument '<dir>'",
        ] {
            #expect(names.worded(message, [:]) == message)
        }
    }

    @Test func `values are listed without politeness`() {
        let start = "the value 'x' is invalid for '--a <a>'"
        #expect(
            names.worded("\(start). Please provide one of 'b' and 'c'.", [:]) == "\(start). Use b or c.")
        #expect(
            names.worded("\(start). Please provide one of 'b', 'c' or 'd'.", [:])
                == "\(start). Use b, c or d.")
    }

    @Test func `an option whose value may be left out is explained with its form`() {
        let option = OptionalValue("--wait", full: "--wait-at-most", value: "DURATION", example: "5m")
        #expect(option.separated("--wait=2h") == "--wait-at-most=2h")
        #expect(option.separated("--wait") == "--wait")
        let form = ". Specify the duration as in '--wait=5m'."
        let invalid = "the value '5' is invalid for '--wait"
        #expect(option.explained("\(invalid)-at-most'", ["--wait=5"]) == "\(invalid)'\(form)")
        let unexpected = "unexpected argument '5m'"
        #expect(option.explained(unexpected, ["--wait", "5m"]) == unexpected + form)
        #expect(option.explained(unexpected, ["5m", "--wait"]) == unexpected)
        #expect(option.explained("unknown option '--wait'", ["--wait"]) == "unknown option '--wait'")
        #expect(option.shown(in: "a [--wait] b [--waiting]") == "a [--wait[=DURATION]] b [--waiting]")
        let gap = String(repeating: " ", count: 18)
        #expect(option.shown(in: "  --wait\(gap)Wait") == "  --wait[=DURATION]       Wait")
    }
}
