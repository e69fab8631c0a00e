import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise move` before a user: questions, progress, and codes for a camera.
struct MoveTerminalTests {
    private let machines: MoveMachines
    private var old: MoveMachine { machines.old }

    init() throws { machines = try MoveMachines() }

    /// Runs the program on a terminal that types answers.
    private func typing(_ answers: [String], _ arguments: [String]) throws -> Program.Outcome {
        try Program.atTerminal(arguments, answers: answers, environment: old.environment)
    }

    private func decoded(_ picture: FilePath) throws -> String {
        let outcome = try Program.run(
            try #require(Program.tool("zbarimg")),
            [
                "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary",
                picture.string,
            ])
        return outcome.output
    }

    private var arguments: [String] { machines.sending.filter { $0 != "--yes" } }

    @Test func `a user sees what will go, is asked, and types the words`() throws {
        let no = try typing(["n"], arguments)
        #expect(no.status == 1 && no.output.contains("not confirmed. Nothing was changed."), "\(no.output)")
        #expect(no.output.contains("files       "), "\(no.output)")
        #expect(no.output.contains("Upload it now? (y/N)"), "\(no.output)")
        #expect(no.output.contains("send \(old.account) (prefix simplex_v1) to another"), "\(no.output)")
        #expect(try machines.relay.chunkCount() == 0)
        let jobs = try old.run(["jobs", "list", "--json"])
        #expect(!jobs.output.contains("move.send"), "\(jobs.output)")
        let sent = try typing(["y"], arguments)
        #expect(sent.status == 0 && sent.output.contains("simplex:/file#/?desc="), "\(sent.output)")
        let link = try #require(sent.output.firstMatch(of: /simplex:\S+/)?.output)
        let received = try machines.receive(String(link))
        let words = received.words.split(separator: " ")
        let asked = try typing(
            [words.prefix(7).joined(separator: " "), words.joined(separator: ", ")],
            ["move", "finish", old.account.string])
        #expect(asked.status == 0 && asked.output.contains("Enter all eight words again:"), "\(asked.output)")
        #expect(asked.output.contains("expected 8 fingerprint words, got 7."), "\(asked.output)")
    }

    @Test func `nobody is asked for the link where an account is in the way`() throws {
        for more in [[], ["--dry-run"]] {
            let refused = try typing([], ["move", "receive", "-", old.account.string] + more)
            #expect(refused.status == 1, "\(refused.output)")
            #expect(refused.output.contains("this folder already has an account"), "\(refused.output)")
            #expect(refused.output.contains("add --into-existing"), "\(refused.output)")
            #expect(!refused.output.contains("Paste"), "\(refused.output)")
        }
        #expect(try old.moves().isEmpty)
        let link = try machines.send().output.trimmingCharacters(in: .whitespacesAndNewlines)
        let received = try Program.atTerminal(
            ["move", "receive", "-", machines.new.account.string, "--yes", "--approve-relays"]
                + ["--network-config", "leave"] + machines.new.passphrase, answers: [link],
            environment: machines.new.environment)
        #expect(received.status == 0 && received.output.contains("Paste the link"), "\(received.output)")
    }

    @Test func `who cancels a move that was received is asked`() throws {
        let sent = try machines.send()
        _ = try machines.receive(sent.output)
        let cancelling = ["move", "cancel", old.account.string]
        let no = try typing(["n"], cancelling)
        #expect(no.status == 1 && no.output.contains("may have received it"), "\(no.output)")
        #expect(no.output.contains("not confirmed. Nothing was changed."), "\(no.output)")
        #expect(try old.moves().first?["state"] as? String == "linkShown")
        let yes = try typing(["y"], cancelling)
        #expect(yes.status == 0 && yes.output.contains("move cancelled"), "\(yes.output)")
        #expect(try old.moves().isEmpty)
    }

    @Test(.enabled(if: Program.tool("zbarimg") != nil, "needs Scripts/setup.sh --with-test-tools"))
    func `a camera reads the link from the image, the drawing and the terminal`() throws {
        let (png, svg) = (machines.folder.appending("code.png"), machines.folder.appending("code.svg"))
        let sending = machines.sending.filter { $0 != "--no-qr" }
        let sent = try old.run(sending + ["--qr", "--qr-png", png.string, "--qr-svg", svg.string])
        #expect(sent.status == 0, "\(sent.errors)")
        let link = sent.output.trimmingCharacters(in: .newlines)
        #expect(try decoded(png) == link)
        for path in [png, svg] {
            #expect(try FileSystem().attributes(of: path)?.permissions == .ownerReadWrite)
        }
        let drawn = machines.folder.appending("drawn.png")
        if let tool = Program.tool("rsvg-convert") {
            #expect(try Program.run(tool, [svg.string, "-o", drawn.string]).status == 0)
            #expect(try decoded(drawn) == link)
        }
        let terminal = machines.folder.appending("terminal.pbm")
        try FileSystem().replace(terminal, with: Array(Self.bitmap(sent.errors).utf8))
        #expect(try decoded(terminal) == link)
        let refused = try old.run(["move", "link", old.account.string, "--qr-png", png.string])
        #expect(refused.status == 1 && refused.errors.contains("--force"), "\(refused.errors)")
        let replaced = try old.run(["move", "link", old.account.string, "--qr-png", png.string, "--force"])
        #expect(replaced.status == 0, "\(replaced.errors)")
        #expect(try decoded(png) == link)
    }

    /// The lines of half blocks among others, as a picture of text (PBM), four dots for a module.
    private static func bitmap(_ text: String) -> String {
        var rows: [[Bool]] = []
        for line in text.split(separator: "\n") where line.hasPrefix("\u{1b}[97;40m") {
            let cells = line.dropFirst(8).dropLast(4)
            rows.append(cells.map { $0 == " " || $0 == "\u{2584}" })
            rows.append(cells.map { $0 == " " || $0 == "\u{2580}" })
        }
        let dots = rows.map { row in
            row.map { String(repeating: $0 ? "1 " : "0 ", count: 4) }.joined() + "\n"
        }
        let lines = dots.map { String(repeating: $0, count: 4) }.joined()
        return "P1\n\((rows.first?.count ?? 0) * 4) \(rows.count * 4)\n" + lines
    }

    @Test func `a code that does not fit the window is an image, which is removed with the move`() throws {
        let sent = try typing(["y"], arguments.filter { $0 != "--no-qr" })
        #expect(sent.status == 0 && sent.output.contains("needs a window of"), "\(sent.output)")
        #expect(!sent.output.contains("\u{1b}[97;40m"))
        let image = FilePath(String(try #require(sent.output.firstMatch(of: #/\S+/link\.png/#)?.output)))
        #expect(try FileSystem().attributes(of: image)?.permissions == .ownerReadWrite)
        if Program.tool("zbarimg") != nil {
            let link = try #require(sent.output.firstMatch(of: /simplex:\S+/)?.output)
            #expect(try decoded(image) == String(link))
        }
        let again = try typing([], ["move", "link", old.account.string, "--qr", "--quiet"])
        #expect(again.status == 0 && again.output.contains("written to \(image)"), "\(again.output)")
        #expect(try old.run(["move", "cancel", old.account.string]).status == 0)
        #expect(try !FileSystem().exists(image))
    }

    @Test func `an image that the user asked for is the only one`() throws {
        let png = machines.folder.appending("mine.png")
        let sent = try typing(["y"], arguments.filter { $0 != "--no-qr" } + ["--qr-png", png.string])
        #expect(sent.status == 0 && sent.output.contains("wrote the QR code to"), "\(sent.output)")
        #expect(!sent.output.contains("link.png") && !sent.output.contains("needs a window of"))
    }

    @Test func `one yes is enough for an account and for the relays that its link names`() throws {
        let new = machines.new
        let link = try machines.send().output.trimmingCharacters(in: .whitespacesAndNewlines)
        let receiving =
            ["move", "receive", link, new.account.string, "--network-config", "leave"] + new.passphrase
        let received = try Program.atTerminal(receiving, answers: ["y"], environment: new.environment)
        #expect(received.status == 0, "\(received.output)")
        let question = "Your network address will be visible to \(machines.relay.address). Receive it? (y/N)"
        #expect(received.output.contains(question), "\(received.output)")
        #expect(received.output.components(separatedBy: "(y/N)").count == 2, "\(received.output)")
        #expect(try machines.areEqual())
    }

    @Test func `who approved the relays of a move is not asked about them again when it is resumed`() throws {
        let new = machines.new
        let link = try machines.send().output.trimmingCharacters(in: .whitespacesAndNewlines)
        let wrong = machines.folder.appending("wrong")
        try FileSystem().replace(wrong, with: Array(AccountState.otherPassphrase.utf8))
        let choice = [new.account.string, "--network-config", "leave"]
        let stopped = try Program.atTerminal(
            ["move", "receive", link] + choice + ["--passphrase-file", wrong.string], answers: ["y"],
            environment: new.environment)
        #expect(stopped.status == 12, "\(stopped.output)")
        let resumed = try Program.atTerminal(
            ["move", "receive"] + choice + new.passphrase, answers: [], environment: new.environment)
        #expect(resumed.status == 0 && !resumed.output.contains("(y/N)"), "\(resumed.output)")
    }

    @Test func `who agreed beforehand saw no relays, and is asked about them`() throws {
        let new = machines.new
        let link = try machines.send().output.trimmingCharacters(in: .whitespacesAndNewlines)
        let refused = try Program.atTerminal(
            ["move", "receive", link, new.account.string, "--yes", "--network-config", "leave"]
                + new.passphrase, answers: ["n"], environment: new.environment)
        #expect(refused.status == 1, "\(refused.output)")
        let question = "Your network address will be visible to \(machines.relay.address). Continue? (y/N)"
        #expect(refused.output.contains(question), "\(refused.output)")
        #expect(try !new.has("simplex_v1_chat.db"))
    }

    @Test func `who leaves is told one next step, which works`() throws {
        let new = machines.new
        let link = try machines.send().output.trimmingCharacters(in: .whitespacesAndNewlines)
        let left = try Program.atTerminal(
            ["move", "receive", link, new.account.string, "--approve-relays"] + new.passphrase,
            answers: ["\u{3}"], environment: new.environment)
        let next = "valise move receive \(new.account) --passphrase-file"
        #expect(left.status == 130 && left.output.contains(next), "\(left.output)")
        #expect(left.output.contains("kept as job 1") && !left.output.contains("jobs run"), "\(left.output)")
        #expect(!left.output.contains("jobs resume"), "\(left.output)")
        let resumed = try Program.atTerminal(
            ["move", "receive", new.account.string] + new.passphrase, answers: ["y"],
            environment: new.environment)
        #expect(resumed.status == 0, "\(resumed.output)")
    }

    @Test func `who leaves at the question has agreed to nothing, and is asked by whoever goes on`() throws {
        let new = machines.new
        let link = try machines.send().output.trimmingCharacters(in: .whitespacesAndNewlines)
        let left = try Program.atTerminal(
            ["move", "receive", link, new.account.string, "--approve-relays", "--network-config", "leave"]
                + new.passphrase, answers: ["\u{3}"], environment: new.environment)
        #expect(left.status == 130 && left.output.contains("Receive it?"), "\(left.output)")
        #expect(left.output.contains("run the same command again"), "\(left.output)")
        _ = try new.run(["jobs", "run"])
        let list = try #require(try new.run(["jobs", "list", "--json"]).json?["jobs"] as? [[String: Any]])
        #expect(list.map { $0["state"] as? String } == ["needsPerson"], "\(list)")
        #expect(try !new.has("simplex_v1_chat.db"))
        let job = try #require(list.first?["id"])
        let resumed = try Program.atTerminal(
            ["jobs", "resume", "\(job)"], answers: ["y"], environment: new.environment)
        #expect(resumed.status == 0 && resumed.output.contains("Receive it?"), "\(resumed.output)")
        #expect(try machines.areEqual())
    }
}
