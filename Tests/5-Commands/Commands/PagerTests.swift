import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Messages on a terminal, page by page.
struct PagerTests {
    private let world: CoreWorld
    private let seen: FilePath
    private let show: [String]

    init() throws {
        world = try CoreWorld(.alice)
        seen = world.folder.appending("seen")
        show = ["chat", "show", world.account, "@robert", "--all"] + world.key
    }

    private func showing(
        _ arguments: String..., pager: String?, typing answers: [String] = [], terminal: String = "xterm"
    ) throws -> Program.Outcome {
        var environment = [
            "TERM": terminal, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin",
        ]
        environment["PAGER"] = pager
        return try Program.atTerminal(show + arguments, answers: answers, environment: environment)
    }

    private var kept: String { get throws { try String(contentsOfFile: seen.string, encoding: .utf8) } }

    @Test func `the pager gets what is printed without one, with its colors`() throws {
        let plain = try showing("--no-pager", pager: "false")
        #expect(plain.status == 0 && plain.output.contains("\u{1b}["))
        let paged = try showing(pager: "cat > '\(seen)'; echo \"history $LESSHISTFILE, less $LESS\"")
        #expect(paged.status == 0 && paged.output.contains("history -, less FRX"), "\(paged)")
        #expect(try kept == plain.output.replacing("\r\n", with: "\n"))
    }

    @Test func `nothing is paged that a program or a screen reader reads, nor on a dumb terminal`() throws {
        for flag in ["--json", "--plain", "--no-pager"] {
            let outcome = try showing(flag, pager: "touch '\(seen)'")
            #expect(outcome.status == 0 && outcome.output.utf8.count > 100, "\(outcome)")
        }
        _ = try showing(pager: "touch '\(seen)'", terminal: "dumb")
        _ = try Program.run(Program.valise, show, environment: ["PAGER": "touch '\(seen)'"])
        #expect(try !FileSystem().exists(seen))
    }

    @Test func `who has seen enough is not told of a failure`() throws {
        let outcome = try showing(pager: "head -n 1")
        #expect(outcome.status == 0 && outcome.output.split(separator: "\r\n").count == 1, "\(outcome)")
    }

    @Test func `a pager that is not there is named`() throws {
        let outcome = try showing(pager: "no-such-pager -x")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.output.contains("valise: cannot run the pager 'no-such-pager -x'"), "\(outcome)")
        #expect(outcome.output.contains("hint:") && outcome.output.contains("--no-pager"), "\(outcome)")
    }

    @Test func `Control-C is for the pager, and all that was read is shown`() throws {
        let outcome = try showing(pager: "trap '' INT; kill -INT 0; kill -INT 0; sleep 0.5; cat > '\(seen)'")
        #expect(outcome.status == 0, "\(outcome)")
        let plain = try showing("--no-pager", pager: nil)
        #expect(try kept == plain.output.replacing("\r\n", with: "\n"))
    }

    @Test(.enabled(if: Program.tool("less") != nil))
    func `less shows the first page, and leaves nothing behind`() throws {
        let plain = try showing("--no-pager", pager: nil).output
        let outcome = try showing(pager: nil, typing: ["q"])
        #expect(outcome.status == 0, "\(outcome)")
        let lines = plain.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(
            outcome.output.contains(lines[20]) && !outcome.output.contains(lines[lines.count - 3]),
            "\(outcome)")
    }
}
