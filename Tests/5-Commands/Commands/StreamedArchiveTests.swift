import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// `valise archive export ACCOUNT -`, and `list -`, `verify -` and `import -`, through pipes and files.
struct StreamedArchiveTests {
    private let world: ArchiveShell

    init() throws { world = try ArchiveShell("valise-stream", mediaBytes: 3000000) }

    private func same(_ other: String? = nil) throws -> Bool {
        let diff = try world.run("\"$V\" archive diff \"$A\" \(other ?? "\"$B\"") \"$K\" --exit-code")
        return diff.status == 0
    }

    // MARK: Writing

    @Test func `what is streamed is the archive, whoever reads it`() throws {
        let outcome = try world.run("\"$V\" archive export \"$A\" - \"$K\" > a.zip")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("exported ") && outcome.errors.contains("to standard output"))
        #expect(try !FileSystem().exists(world.folder.appending("-")))
        #expect(try same("a.zip"))
        #expect(try world.run("\"$V\" archive verify a.zip \"$K\"").status == 0)
        for (tool, line) in [
            ("unzip", "unzip -tqq a.zip"), ("bsdtar", "\"$V\" archive export \"$A\" - | bsdtar -tf - > list"),
            ("python3", "python3 -c 'import zipfile; assert zipfile.ZipFile(\"a.zip\").testzip() is None'"),
        ] where Program.tool(tool) != nil {
            let read = try world.run(line)
            #expect(read.status == 0, "\(tool): \(read.output)\(read.errors)")
        }
        let small = try world.run(
            "\"$V\" archive export \"$A\" - --level 9 --only-databases --quiet \"$K\" > b.zip")
        #expect(small.status == 0 && small.errors.isEmpty, "\(small.errors)")
        #expect(try world.run("\"$V\" archive list b.zip").output.contains("2 entries"))
    }

    @Test func `streamed and written, an archive has the same bytes`() throws {
        let outcome = try world.run(
            "\"$V\" archive export \"$A\" - --reproducible \"$K\" > a.zip; "
                + "\"$V\" archive export \"$A\" b.zip --reproducible \"$K\" && cmp a.zip b.zip && sha256sum < a.zip"
        )
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
        let digest = try #require(outcome.output.split(separator: "\n").last?.prefix(64))
        #expect(outcome.errors.contains("SHA-256: \(digest)"), "\(outcome.errors)")
    }

    @Test func `a journal of a crashed program is folded in on a private copy, which goes`() throws {
        let root = world.folder.appending("crashed")
        try FileSystem().makeDirectory(root)
        try CrashOperation.foldingExport.prepare(root, key: world.folder.appending("key"), mediaBytes: nil)
        let before = try TemporaryFolder.contents(of: root)
        let piped = try world.run(
            "\"$V\" archive export crashed/account - \"$K\" | \"$V\" archive import - \"$B\" \"$K\"")
        #expect(piped.status == 0 && piped.errors.contains("was applied to a copy"), "\(piped.errors)")
        #expect(try TemporaryFolder.contents(of: root) == before)
        #expect(try world.run("\"$V\" account check \"$B\" \"$K\"").status == 0)
    }

    @Test func `to a terminal and with a document on the same way it is refused`() throws {
        let terminal = try Program.atTerminal(
            ["archive", "export", world.account, "-", world.key], environment: [:])
        #expect(terminal.status == 64, "\(terminal.output)")
        #expect(terminal.output.contains("cannot write an archive to a terminal"), "\(terminal.output)")
        #expect(try world.run("\"$V\" archive export \"$A\" - --json \"$K\" > a.zip").status == 64)
        let plan = try world.run("\"$V\" archive export \"$A\" - --dry-run --json \"$K\"")
        #expect(plan.status == 0 && plan.output.contains("archiveExportPlan"), "\(plan.errors)")
        let inside = try world.run("\"$V\" archive export \"$A\" - \"$K\" > \"$A\"/simplex_v1_files/x.zip")
        #expect(inside.status == 64 && inside.errors.contains("belongs to the account"), "\(inside.errors)")
        #expect(try !FileSystem().exists(world.folder.appending("-")))
    }

    @Test func `a reader that goes is a failure, and what it has is no archive`() throws {
        let gone = try world.run(
            "{ \"$V\" archive export \"$A\" - \"$K\"; echo $? > status; } | head -c 70000 > a.zip")
        let text = try String(contentsOfFile: world.folder.appending("status").string, encoding: .utf8)
        #expect(text == "1\n")
        #expect(gone.errors.contains("was closed before the archive was complete"), "\(gone.errors)")
        #expect(try world.run("\"$V\" archive verify a.zip").status == 13)
        #expect(try world.run("\"$V\" archive import - \"$B\" < a.zip").status == 13)
        #expect(try !FileSystem().exists(FilePath(world.copy)))
    }

    @Test func `an interrupt ends it while the reader lets it wait`() throws {
        let start = ContinuousClock.now
        let outcome = try world.run(
            "mkfifo p; sleep 8 < p > /dev/null 2>&1 & \"$V\" archive export \"$A\" - \"$K\" --no-compression > p & "
                + "sleep 1; kill -TERM $!; wait $!; echo $?")
        #expect(outcome.output == "130\n", "\(outcome.output)\(outcome.errors)")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    // MARK: Reading

    @Test func `a pipe from an export to an import makes the same account`() throws {
        let piped = try world.run(
            "\"$V\" archive export \"$A\" - \"$K\" | \"$V\" archive import - \"$B\" \"$K\" --json")
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.output.contains("archiveImported"))
        #expect(try same())
        #expect(try AccountState.leftovers(in: world.folder.path) == [])
        #expect(
            try FileSystem().list(world.folder.path).compactMap(\.name).sorted() == [
                "account", "copy", "key",
            ])
        // Over the account that is there, with everything that goes with that.
        let again = try world.run(
            "\"$V\" archive export \"$A\" - | \"$V\" archive import - \"$B\" --into-existing --keep-previous old \"$K\""
        )
        #expect(again.status == 0, "\(again.errors)")
        #expect(try same() && FileSystem().exists(FilePath(world.copy).appending("old")))
    }

    @Test func `list, verify and a dry run read a pipe and a file alike`() throws {
        #expect(try world.run("\"$V\" archive export \"$A\" a.zip \"$K\"").status == 0)
        for way in ["cat a.zip |", "< a.zip"] {
            func run(_ command: String) throws -> Program.Outcome {
                try way.hasPrefix("<") ? world.run("\(command) \(way)") : world.run("\(way) \(command)")
            }
            let list = try run("\"$V\" archive list -")
            #expect(try list.output == world.run("\"$V\" archive list a.zip").output)
            let verify = try run("\"$V\" archive verify - \"$K\"")
            #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
            #expect(verify.output.hasPrefix("standard input "), "\(verify.output)")
            #expect(try run("\"$V\" archive verify - --require-verified").status == 12)
            let greedy = try run(
                "\"$V\" archive verify - --passphrase-command 'cat > /dev/null; cat key' --require-verified")
            #expect(greedy.status == 0, "\(greedy.errors)")
            let plan = try run("\"$V\" archive import - \"$B\" --dry-run \"$K\"")
            #expect(plan.status == 0 && plan.output.contains("nothing was changed"), "\(plan.errors)")
            #expect(try !FileSystem().exists(FilePath(world.copy)))
        }
    }

    @Test func `what is no archive is refused before it is kept`() throws {
        let endless = try world.run("yes | \"$V\" archive list -")
        #expect(
            endless.status == 13 && endless.errors.contains("not an archive that can be read")
                && endless.errors.contains("hint: archives are zip, tar "), "\(endless.errors)")
        #expect(try world.run("\"$V\" archive verify - < /dev/null").status == 13)
        #expect(try world.run("printf PK | \"$V\" archive list -").status == 13)
        #expect(try world.run("cat key | \"$V\" archive import - \"$B\" --passphrase-fd 0").status == 64)
        let terminal = try Program.atTerminal(["archive", "list", "-"], environment: [:])
        #expect(terminal.output.contains("cannot read an archive from a terminal"), "\(terminal.output)")
    }

    @Test func `a full disk is seen before it is full`() throws {
        let library = try #require(Preload.compile("smalldisk"))
        #expect(try world.run("\"$V\" archive export \"$A\" a.zip \"$K\" --no-compression").status == 0)
        for (free, status) in [("20000000", 15), ("30000000", 15), ("60000000", 0)] as [(String, Int32)] {
            let outcome = try world.run(
                "cat a.zip | LD_PRELOAD=\(library) SMALLDISK_FREE=\(free) \"$V\" archive import - \"$B\" \"$K\""
            )
            #expect(outcome.status == status, "\(free): \(outcome.errors)")
            #expect(try FileSystem().exists(FilePath(world.copy)) == (status == 0))
        }
    }

    @Test func `killed while it reads, nothing of it is left`() throws {
        let killed = try world.run(
            "mkfifo p; \"$V\" archive export \"$A\" a.zip --quiet > /dev/null; "
                + "{ head -c 2000000 a.zip; exec sleep 30; } > p 2> /dev/null & H=$!; "
                + "\"$V\" archive import - \"$B\" \"$K\" < p & I=$!; sleep 1; ls -A; kill -9 $I; wait $I; "
                + "kill $H; true")
        #expect(
            killed.status == 0 && killed.output == "a.zip\naccount\nkey\np\n",
            "\(killed.output)\(killed.errors)")
        let names = try FileSystem().list(world.folder.path).compactMap(\.name).sorted()
        #expect(names == ["a.zip", "account", "key", "p"], "\(names)")
    }
}
