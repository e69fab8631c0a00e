import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseFiles

/// `valise session` as a user runs it: what is asked for, and what is shown where.
struct SessionCommandTests {
    private let folder: TemporaryFolder
    private static let story = Story(seed: 5, messages: 60)
    private static var words: String { StoryKeys(story.entropy).words }

    init() throws {
        folder = try TemporaryFolder("valise-session", inMemory: true)
        try FileSystem().makeDirectory(folder.appending("home"))
    }

    private var environment: [String: String] { ["HOME": folder.appending("home").string] }
    private func path(_ name: String) -> String { folder.appending(name).string }

    private func desktop(_ lock: DesktopBuilder.Lock = .key) throws -> String {
        var builder = DesktopBuilder(lock: lock)
        builder.seal = DesktopBuilder.encryption
        try builder.write(Self.story, to: folder.appending("profile"))
        return path("profile")
    }

    private func backup() throws -> String {
        let container = folder.appending("container")
        try PhoneBuilder().write(Self.story, to: container)
        try TestFiles.write(BackupBuilder(packing: container).bytes(), to: folder.appending("session.bak"))
        return path("session.bak")
    }

    private func typing(_ answers: String..., to arguments: String...) throws -> Program.Outcome {
        try Program.atTerminal(arguments, answers: answers, environment: environment)
    }

    // MARK: Recovery passwords

    @Test func `words are shown on a terminal and nowhere else`() throws {
        let profile = try desktop()
        let shown = try typing(to: "session", "words", profile)
        let text = shown.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.status == 0 && text.contains(Self.words), "\(shown.output)")
        let piped = try Program.run(Program.valise, ["session", "words", profile], environment: environment)
        #expect(piped.status == 0 && piped.output == "Session ID: \(Self.story.ownID)\n", "\(piped.errors)")
        #expect(piped.errors.contains("on a terminal only"))
        let document = try Program.run(
            Program.valise, ["session", "words", profile, "--json"], environment: environment)
        for word in Self.words.split(separator: " ") { #expect(!document.output.contains(word)) }
    }

    @Test func `typed words are not shown, and their account is`() throws {
        let known = try typing(Self.words, to: "session", "words")
        #expect(known.status == 0 && known.output.contains(Self.story.ownID), "\(known.output)")
        #expect(!known.output.contains(Self.words))
    }

    @Test func `for a misspelled word others are proposed, on a terminal only`() throws {
        var words = Self.words.split(separator: " ").map(String.init)
        let right = words[3]
        words[3] = "q" + right.dropFirst()
        let text = words.joined(separator: " ")
        let typed = try typing(text, to: "session", "words", "--language", "english")
        #expect(typed.status == 64 && typed.output.contains("word 4"), "\(typed.output)")
        try TestFiles.write(text, to: folder.appending("words"))
        let piped = try Program.run(
            Program.valise,
            ["session", "words", "--language", "english", "--passphrase-file", path("words")],
            environment: environment)
        #expect(piped.status == 64 && piped.errors.contains("word 4 of the recovery password"))
        for word in Set(Self.words.split(separator: " ")) where word.count > 4 {
            #expect(!piped.errors.contains(word))
        }
    }

    @Test func `a seed is written to a new private file`() throws {
        let profile = try desktop()
        let arguments = ["session", "words", profile, "--seed-to", path("seed")]
        let written = try Program.run(Program.valise, arguments, environment: environment)
        #expect(written.status == 0, "\(written.errors)")
        let again = try Program.run(Program.valise, arguments, environment: environment)
        #expect(again.status == 1 && again.errors.contains("already exists"), "\(again.errors)")
        let read = try Program.run(
            Program.valise,
            ["session", "words", "--seed", "--passphrase-file", path("seed")], environment: environment)
        #expect(read.output.contains(Self.story.ownID), "\(read.errors)")
        let mode = try FileSystem().attributes(of: folder.appending("seed"))?.permissions.rawValue
        #expect(mode == 0o600)
    }

    // MARK: Keys

    @Test func `a wrong password may be typed three times`() throws {
        let store = try backup()
        let third = try typing("a", "b", BackupBuilder.password, to: "session", "info", store)
        #expect(third.status == 0 && third.output.contains(Self.story.ownID), "\(third.output)")
        let never = try typing("a", "b", "c", BackupBuilder.password, to: "chat", "list", store)
        #expect(never.status == 12, "\(never.output)")
    }

    @Test func `the password of a profile is asked for by its name`() throws {
        let profile = try desktop(.password("a long password"))
        let opened = try typing("a long password", to: "session", "check", profile)
        #expect(opened.output.contains("Password of \(profile), to check it"), "\(opened.output)")
        #expect(opened.status == 0 || opened.status == 3, "\(opened.output)")
    }

    // MARK: Nothing is left

    @Test func `a profile stays as it is, and no copy is left`() throws {
        let profile = try desktop()
        let before = try TemporaryFolder.contents(of: folder.appending("profile"))
        for arguments in [
            ["session", "info", profile], ["session", "check", profile], ["session", "words", profile],
            ["session", "extract", profile, path("out")], ["chat", "list", profile],
        ] {
            let run = try Program.run(Program.valise, arguments, environment: environment)
            #expect(run.status == 0 || run.status == 3, "\(run.errors)")
        }
        #expect(try TemporaryFolder.contents(of: folder.appending("profile")) == before)
    }
}
