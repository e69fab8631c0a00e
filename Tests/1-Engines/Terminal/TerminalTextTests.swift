import Testing

@testable import ValiseTerminal

/// How lines break in the window of a terminal.
struct TerminalTextTests {
    private func lines(_ text: String, _ width: Int, speaker: String = "valise") -> [String] {
        let setup = TerminalSetup(command: "valise", speaker: speaker) { _ in nil }
        return TerminalText.wrapped(text, to: width, for: setup).split(separator: "\n").map(String.init)
    }

    @Test func `text for a pipe stays as it is`() {
        let text = String(repeating: "word ", count: 100)
        #expect(TerminalText.wrapped(text, to: nil) == text)
    }

    @Test func `values stay in their column`() {
        #expect(
            lines("  media       41 files, 3.1 MB, all encrypted", 40)
                == ["  media       41 files, 3.1 MB, all", "              encrypted"])
        #expect(
            lines("  ok    checksums   12 files valid, and 3 more here", 44)
                == ["  ok    checksums   12 files valid, and 3", "                    more here"])
    }

    @Test func `values go below their name where too few columns are left`() {
        #expect(
            lines("  --prefix <prefix>       Prefix of the database names.", 40)
                == ["  --prefix <prefix>", "      Prefix of the database names."])
        #expect(
            lines("  --json-form <json-form> Form of sum types in JSON.", 40)
                == ["  --json-form <json-form>", "      Form of sum types in JSON."])
        #expect(
            lines(String(repeating: " ", count: 26) + "Read the passphrase from this file.", 41)
                == ["      Read the passphrase from this file."])
    }

    @Test func `a path goes below its name where it fits the window only there`() {
        #expect(
            lines("  BAD   structure   simplex_v1_files/NUL: not a name", 40)
                == ["  BAD   structure", "      simplex_v1_files/NUL: not a name"])
        #expect(
            lines("address:      /a/path/that/is/wider/than/the/window", 36)
                == ["address:      /a/path/that/is/wider/than/the/window"])
        #expect(
            lines("simplex_v1_files/stranger.bin  10 bytes  unreferenced", 40)
                == ["simplex_v1_files/stranger.bin", "    10 bytes  unreferenced"])
    }

    @Test func `messages hang by two`() {
        #expect(
            lines("valise: laptop: the passphrase is wrong", 24)
                == ["valise: laptop: the", "  passphrase is wrong"])
        #expect(
            lines("valise-relay: the relay is not running", 24, speaker: "valise-relay")
                == ["valise-relay: the relay", "  is not running"])
        #expect(
            lines("other: laptop: the passphrase is wrong", 24)
                == ["other: laptop: the", "passphrase is wrong"])
    }

    @Test func `command lines stay whole`() {
        let command = "valise account recover '/home/user/My Accounts/laptop'"
        #expect(
            lines("hint: to recover the account, run: \(command)", 40)
                == ["hint: to recover the account, run:", "      \(command)"])
        let ofSystem = "chmod 600 '/home/user/My Accounts/passphrase'"
        #expect(
            lines("hint: to keep other users out, run: \(ofSystem)", 40)
                == ["hint: to keep other users out, run:", "      \(ofSystem)"])
        #expect(
            lines("The job is ready. Run 'valise jobs run' to run it.", 30)
                == ["The job is ready. Run", "'valise jobs run' to run it."])
        #expect(lines("  \(command)", 30) == ["  \(command)"])
        #expect(
            lines("Do not 'valise this is never closed", 20).joined(separator: " ").contains("never closed"))
    }

    @Test func `options stay with their values`() {
        #expect(
            lines("USAGE: valise x [--prefix <prefix>] [--seed <seed>]", 36)
                == ["USAGE: valise x [--prefix <prefix>]", "       [--seed <seed>]"])
    }
}
