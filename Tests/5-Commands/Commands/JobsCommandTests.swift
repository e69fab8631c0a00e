import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Long operations as jobs, and the commands about them, as a user runs them. `VALISE_SEED` repeats the moments of the kills
/// of an earlier run.
struct JobsCommandTests {
    private let world: JobsWorld

    init() throws { world = try JobsWorld() }

    // MARK: In the foreground

    @Test func `what ends leaves no job, and what fails for good does not either`() throws {
        let exported = try world.run("archive", "export", world.account, world.archive)
        #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported.errors)")
        let again = try world.run("archive", "export", world.account, world.archive)
        #expect(
            again.status == 1 && again.errors.hasSuffix("already exists\nhint: to replace it, add --force\n"),
            "\(again.errors)")
        let changed = try world.run(
            "key", "change", world.account, world.key, "--new-passphrase-file", world.otherKey.string)
        #expect(changed.status == 0, "\(changed.errors)")
        let wrong = try world.run("media", "encrypt", world.account, world.key)
        #expect(wrong.status == 12, "\(wrong.errors)")
        #expect(try world.jobs("--all").isEmpty)
        // They were jobs all the same.
        #expect(try FileSystem().exists(world.queue))
    }

    @Test func `an import that is larger than allowed names the limit, and leaves no job`() throws {
        try world.export()
        let refused = try world.run("archive", "import", world.archive, world.copy, "--max-size", "100")
        #expect(refused.status == 15 && refused.errors.contains("the allowed 100 bytes"), "\(refused.errors)")
        #expect(
            refused.errors.hasSuffix("hint: to raise the limit, add --max-size with a greater size\n"),
            "\(refused.errors)")
        #expect(try world.jobs("--all").isEmpty)
    }

    @Test func `a killed export is a job, which a run finishes, and another run has nothing to do`() throws {
        try world.killWhenBusy("archive", "export", world.account, world.archive)
        let left = try world.job()
        #expect(left["kind"] as? String == "archive.export" && left["isLeft"] as? Bool == true)
        let list = try world.run("jobs", "list")
        #expect(list.output.contains("interrupted") && list.output.contains("export of "), "\(list.output)")
        let run = try world.run("jobs", "run", "--exit-code")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("is done\nexported 32 files"), "\(run.output)")
        #expect(try world.run("archive", "verify", world.archive, world.key).status == 0)
        let again = try world.run("jobs", "run", "--exit-code")
        #expect(again.status == 0 && again.errors.contains("no pending jobs"), "\(again.errors)")
        let shown = try world.json("jobs", "show", "1")
        #expect(shown["state"] as? String == "finished")
        #expect((shown["result"] as? [String: Any])?["type"] as? String == "archiveExported")
    }

    @Test func `whenever a run is killed, the next one of the jobs comes to the end that was asked for`()
        throws
    {
        let given = ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...999_999)
        var generator = SeededGenerator(seed: seed)
        try world.export()
        for round in 0..<6 {
            let imports = round % 2 == 1
            let arguments =
                imports
                ? ["archive", "import", world.archive, world.copy, world.key, "--into-existing", "--yes"]
                : ["archive", "export", world.account, world.archive, world.key, "--force"]
            let delay = Duration.milliseconds(Int.random(in: 20...700, using: &generator))
            let comment: Comment = "VALISE_SEED=\(seed), round \(round), killed after \(delay)"
            let killed = try Program.run(
                Program.valise, arguments, environment: world.environment, killAfter: delay)
            let left = try world.jobs()
            #expect(left.count <= (killed.signal == SIGKILL ? 1 : 0), comment)
            let run = try world.run("jobs", "run", "--exit-code")
            #expect(run.status == 0, "\(comment): \(run.errors)")
            #expect(try world.run("archive", "verify", world.archive, world.key).status == 0, comment)
            if imports, !left.isEmpty || killed.status == 0 {
                #expect(try world.run("account", "check", world.copy, world.key).status == 0, comment)
            }
        }
    }

    @Test func `the same command again resumes its job, and one asked for in another way replaces it`()
        throws
    {
        try world.killWhenBusy("archive", "export", world.account, world.archive)
        let other = try world.run("archive", "export", world.account, world.archive, "--level", "9")
        #expect(other.status == 0, "\(other.errors)")
        #expect(try world.jobs("--all").isEmpty)
        try world.killWhenBusy("archive", "export", world.account, world.archive, "--force")
        let same = try world.run("archive", "export", world.account, world.archive, "--force")
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.errors.contains("too little of the archive was written"), "\(same.errors)")
        #expect(try world.jobs("--all").isEmpty)
    }

    @Test func `an interrupted export says how to go on, and how to give it up`() throws {
        let ended = try world.signalWhenBusy(SIGINT, "archive", "export", world.account, world.archive)
        #expect(ended.status == 130)
        #expect(
            ended.errors.contains("kept as job 1. Run 'valise jobs run' to resume it"), "\(ended.errors)"
        )
        // Within its first seconds.
        #expect(ended.errors.contains("the unfinished archive was not kept"), "\(ended.errors)")
        let job = try world.job()
        #expect(job["state"] as? String == "waiting" && job["isLeft"] as? Bool == false)
        let cancelled = try world.run("jobs", "cancel", "1")
        #expect(cancelled.status == 0 && cancelled.output.hasPrefix("cancelled job 1 (export of "))
        #expect(cancelled.errors.contains("a.zip.partial.journal"), "\(cancelled.errors)")
        #expect(try world.jobs().isEmpty)
        #expect(try world.run("jobs", "run").output.isEmpty)
        #expect(try !FileSystem().exists(FilePath(world.archive)))
        let retried = try world.run("jobs", "retry", "1")
        #expect(retried.status == 0, "\(retried.errors)")
        #expect(try world.run("jobs", "run").status == 0)
        #expect(try FileSystem().exists(FilePath(world.archive)))
        // One that has ended goes from the list.
        #expect(try world.run("jobs", "cancel", "1").output.hasPrefix("removed job 1"))
        for command in ["show", "cancel"] {
            let unknown = try world.run("jobs", command, "1")
            let hint = "hint: to list all jobs, run: valise jobs list --all\n"
            #expect(unknown.status == 10 && unknown.errors.hasSuffix(hint), "\(unknown.errors)")
        }
    }

    @Test func `a job that runs elsewhere is stopped by cancelling it`() throws {
        // One that ends before it has looked is complete: then another one is asked for.
        for attempt in 1...10 {
            var job = ""
            let ended = try world.whenBusy("archive", "export", world.account, world.archive) { _ in
                // Longer than between two heartbeats: it learns of it as soon as it goes on.
                Thread.sleep(forTimeInterval: 1.2)
                job = "\(try world.job()["id"] ?? "")"
                let outcome = try world.run("jobs", "cancel", job)
                #expect(outcome.status == 0 && outcome.output.contains(" to stop\n"), "\(outcome.output)")
            }
            if ended.status == 0, attempt < 10 {
                try FileSystem().remove(FilePath(world.archive))
                continue
            }
            #expect(
                ended.status == 130 && ended.errors.contains("job \(job) was cancelled"), "\(ended.errors)")
            break
        }
        #expect(try world.jobs().isEmpty)
        #expect(try !FileSystem().exists(FilePath(world.archive)))
    }

    @Test func `of the same export twice at once one writes the archive, and the other one says so`() throws {
        var second: Program.Outcome?
        let first = try world.whenBusy("archive", "export", world.account, world.archive) { process in
            second = try world.run("archive", "export", world.account, world.archive)
            kill(process, SIGCONT)
        }
        // The first one may have been met before it had locked what it writes.
        if first.status == 0 {
            #expect(second?.status == 11 && second?.errors.contains("another export") == true)
        } else {
            #expect(first.status == 1 && first.errors.contains("already exists"), "\(first.errors)")
            #expect(second?.status == 0, "\(second?.errors ?? "")")
        }
        #expect(try world.run("archive", "verify", world.archive).status == 0)
        #expect(try world.jobs("--all").isEmpty)
    }

    // MARK: Passphrases

    @Test func `a killed import whose passphrase is nowhere needs the user, and takes it from him`() throws {
        try world.export()
        let arguments = ["archive", "import", world.archive, world.copy]
        try world.killWhenBusy(arguments + ["--passphrase-command", "cat \(world.folder.appending("key"))"])
        let run = try world.run("jobs", "run", "--exit-code")
        #expect(
            run.status == 20 && run.errors.contains("'valise jobs resume 1' to enter it"), "\(run.errors)")
        #expect(try world.job()["state"] as? String == "needsPerson")
        #expect(try world.run("jobs", "run").errors.contains("1 waiting for you"))
        let wrong = try world.run("jobs", "resume", "1", "--passphrase-file", world.otherKey.string)
        #expect(wrong.status == 12, "\(wrong.errors)")
        #expect(try world.job()["state"] as? String == "needsPerson")
        let resumed = try world.run("jobs", "resume", "1", world.key)
        #expect(resumed.status == 0 && resumed.output.hasPrefix("imported 32 files"), "\(resumed.errors)")
        #expect(try world.jobs("--all").isEmpty)
        #expect(try world.run("account", "check", world.copy, world.key).status == 0)
    }

    @Test func `a killed import takes its passphrase from the file that it was given`() throws {
        try world.export()
        try world.killWhenBusy("archive", "import", world.archive, world.copy, world.key)
        let run = try world.run("jobs", "run", "--json")
        #expect(run.status == 0, "\(run.output)")
        let lines = try run.output.split(separator: "\n").map { try world.object(String($0)) }
        #expect(lines.first?["event"] as? String == "started")
        #expect(lines.last?["type"] as? String == "summary" && lines.last?["done"] as? Int == 1)
        let end = try #require(lines.last { $0["event"] as? String == "ended" }?["job"] as? [String: Any])
        #expect((end["result"] as? [String: Any])?["databasesOpened"] as? Bool == true)
        #expect(try world.run("account", "check", world.copy, world.key).status == 0)
    }

    @Test func `no passphrase is in the queue, whatever gave it`() throws {
        try world.export()
        try world.killWhenBusy("archive", "import", world.archive, world.copy, world.key)
        let text = try world.payloads()
        #expect(text.contains("archive.import") && text.contains(world.copy))
        #expect(!text.contains("5a5a5a5a"))
    }

    // MARK: Where jobs cannot be kept

    @Test func `without a place, or with a damaged queue, the operation runs and one line says so`() throws {
        let nowhere = try Program.valise(
            "archive", "export", world.account, world.archive,
            environment: ["HOME": "/proc/none", "XDG_STATE_HOME": "/proc/none"])
        #expect(nowhere.status == 0 && nowhere.errors.split(separator: "\n").count == 1, "\(nowhere.errors)")
        #expect(nowhere.errors.contains("running without a job"))
        #expect(try world.run("archive", "export", world.account, world.archive, "--force").status == 0)
        var bytes = try FileSystem().contents(of: world.queue, limit: 1 << 20)
        for index in stride(from: 16, to: bytes.count, by: 7) { bytes[index] ^= 1 }
        try FileSystem().replace(world.queue, with: bytes)
        let damaged = try world.run("archive", "export", world.account, world.archive, "--force")
        #expect(damaged.status == 0 && damaged.errors.split(separator: "\n").count == 1, "\(damaged.errors)")
        #expect(
            try world.run("archive", "export", world.account, world.archive, "--force", "--quiet").errors
                == "")
        #expect(try world.run("jobs", "list").status == 13)
        #expect(try world.run("jobs", "run").status == 13)
    }

    @Test func `nothing is made where nothing is asked of jobs`() throws {
        for command in [["list"], ["run"], ["watch"], ["list", "--json"], ["run", "--json"]] {
            #expect(try world.run(["jobs"] + command).status == 0)
        }
        #expect(try world.run("jobs", "show", "1").status == 10)
        #expect(try world.run("jobs", "show", "x").status == 64)
        #expect(try world.run("account", "status", world.account).status == 0)
        #expect(try !FileSystem().exists(world.queue.removingLastComponent()))
    }

    @Test(.enabled(if: Program.tool("python3") != nil))
    func `who begins something else at a terminal is told once what is left`() throws {
        try world.killWhenBusy("archive", "export", world.account, world.archive)
        let sentence = "1 unfinished job: export of "
        // Where nothing is shown, nothing is told.
        #expect(try !world.atTerminal("account", "status", world.account, "--quiet").contains(sentence))
        #expect(try !world.atTerminal("account", "status", world.account, "--json").contains(sentence))
        #expect(try !world.atTerminal("jobs", "list").contains(sentence))
        #expect(try !world.run("account", "status", world.account).errors.contains(sentence))
        let told = try world.atTerminal("account", "status", world.account)
        #expect(told.contains(sentence) && told.contains(". To resume it, run: valise jobs run"), "\(told)")
        for command in ["status", "find"] {
            let again = try world.atTerminal("account", command, world.account)
            #expect(!again.contains(sentence), "\(again)")
        }
        #expect(try world.run("jobs", "run").status == 0)
        for _ in 0..<2 {
            #expect(try !world.atTerminal("account", "status", world.account).contains("valise:"))
        }
        try world.killWhenBusy("archive", "export", world.account, world.archive, "--force")
        #expect(try world.atTerminal("account", "status", world.account).contains(sentence))
    }

    // MARK: Watching, and the service

    @Test func `watching shows what runs elsewhere, as lines or as JSON, until nothing runs`() throws {
        var watched = (text: "", json: "")
        let ended = try world.whenBusy("archive", "export", world.account, world.archive) { process in
            let text = try Watcher(world, [])
            let json = try Watcher(world, ["--json"])
            for watcher in [text, json] { watcher.waitForOutput() }
            kill(process, SIGCONT)
            watched = (text.end(), json.end())
        }
        #expect(ended.status == 0)
        #expect(
            watched.text.contains("job 1 (export of ") && watched.text.contains("has ended"),
            "\(watched.text)")
        let lines = try watched.json.split(separator: "\n").map { try world.object(String($0)) }
        #expect(lines.first?["event"] as? String == "progress")
        #expect(lines.contains { $0["event"] as? String == "removed" })
        #expect(lines.last?["type"] as? String == "summary")
    }

    @Test func `a run that watches goes on until it is stopped, with status 0`() throws {
        try world.killWhenBusy("archive", "export", world.account, world.archive)
        let watcher = try Watcher(world, ["--watch", "--json"], command: "run")
        for _ in 0..<200 where try !FileSystem().exists(FilePath(world.archive)) {
            Thread.sleep(forTimeInterval: 0.1)
        }
        let text = watcher.end(interrupting: true)
        #expect(watcher.status == 0, "\(text)")
        #expect(try FileSystem().exists(FilePath(world.archive)))
        #expect(try world.jobs().isEmpty)
    }

    @Test func `the service names this program and its places, and systemd has nothing to say against it`()
        throws
    {
        let unit = try world.run("jobs", "unit")
        #expect(unit.status == 0)
        #expect(unit.output.contains("valise jobs run --watch\n"))
        #expect(unit.output.contains("Environment=XDG_STATE_HOME=\(world.folder.appending("state"))\n"))
        #expect(unit.output.contains("Restart=on-failure") && unit.output.contains("NoNewPrivileges=yes"))
        #expect(try world.json("jobs", "unit")["unit"] as? String == String(unit.output.dropLast()))
        guard let verify = Program.tool("systemd-analyze") else { return }
        let path = world.folder.appending("valise-jobs.service")
        try FileSystem().replace(
            path, with: Array(unit.output.utf8), permissions: [.ownerReadWrite, .groupRead])
        let verified = try Program.run(
            verify, ["--user", "--man=no", "verify", path.string],
            environment: ["XDG_RUNTIME_DIR": world.folder.path.string])
        #expect(verified.status == 0 && verified.errors.isEmpty, "\(verified.errors)")
    }
}
