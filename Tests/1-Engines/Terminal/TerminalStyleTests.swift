import Testing

@testable import ValiseTerminal

/// Colors and redrawing, by the variables that other programs follow as well.
struct TerminalStyleTests {
    @Test(
        arguments: [
            (true, [:], true, true),
            (false, [:], false, false),
            (true, ["NO_COLOR": "1"], false, true),
            (true, ["NO_COLOR": ""], true, true),
            (true, ["TERM": "dumb"], false, false),
            (false, ["CLICOLOR_FORCE": "1"], true, false),
            (false, ["CLICOLOR_FORCE": "0"], false, false),
            (true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, true),
        ] as [(Bool, [String: String], Bool, Bool)])
    func `variables decide`(
        isTerminal: Bool, environment: [String: String], usesColor: Bool, redraws: Bool
    ) {
        let style = TerminalStyle(isTerminal: isTerminal) {
            environment[$0].flatMap { $0.isEmpty ? nil : $0 }
        }
        #expect(style.usesColor == usesColor && style.redraws == redraws)
    }

    @Test func `only the word that says what a line is gets a color`() {
        let style = TerminalStyle(isTerminal: true) { _ in nil }
        #expect(style.line("hint: see hint: b", of: "valise") == "\u{1b}[36mhint:\u{1b}[0m see hint: b")
        #expect(style.line("valise: warning: x", of: "valise") == "valise: \u{1b}[33mwarning:\u{1b}[0m x")
        #expect(style.line("valise: file: hint: x", of: "valise") == "valise: file: hint: x")
        #expect(style.line("valise: warning: x", of: "other") == "valise: warning: x")
    }

    @Test func `hints among the lines of a result have it too`() {
        let style = TerminalStyle(isTerminal: true) { _ in nil }
        let text = "x: OK\n  hint: a\nhint: b\nsee hint: c"
        let mark = "\u{1b}[36mhint:\u{1b}[0m"
        #expect(style.lines(text, of: "valise") == "x: OK\n  \(mark) a\n\(mark) b\nsee hint: c")
        let plain = TerminalStyle(isTerminal: false) { _ in nil }
        #expect(plain.lines(text, of: "valise") == text)
    }

    @Test func `the colors of a picture can be left out`() {
        #expect(TerminalStyle.withoutColors("\u{1b}[97;40m\u{2588} \u{2580}\u{1b}[0m") == "\u{2588} \u{2580}")
        #expect(TerminalStyle.withoutColors("[0m") == "[0m")
    }
}
