import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Jobs that a newer version wrote or that nobody can read, and a queue that cannot be written, as a user meets them.
@Suite(.enabled(if: Program.tool("sqlcipher") != nil))
struct JobsVersionTests {
    private let world: JobsWorld

    init() throws {
        world = try JobsWorld()
        try world.killWhenBusy("archive", "export", world.account, world.archive)
    }

    private static let newer = #"CAST(replace(CAST(payload AS TEXT), '"version":1', '"version":9') AS BLOB)"#

    @Test func `a job that a newer version wrote is kept for that one`() throws {
        _ = try world.sql("UPDATE jobs SET payload = \(Self.newer)")
        #expect(try world.payloads().contains(#""version":9"#))
        let run = try world.run("jobs", "run", "--exit-code")
        #expect(run.status == 20 && run.errors.contains("a newer version of valise"), "\(run.errors)")
        #expect(try world.job()["state"] as? String == "needsPerson")
        let resumed = try world.run("jobs", "resume", "1")
        #expect(resumed.status == 14, "\(resumed.errors)")
        #expect(try world.job()["state"] as? String == "needsPerson")
        // The same operation, as it is here.
        let again = try world.run("archive", "export", world.account, world.archive)
        #expect(again.status == 0 && again.errors.contains("running without a job"), "\(again.errors)")
        #expect(again.errors.contains("job 1 for the same operation was written"), "\(again.errors)")
        #expect(try world.job()["state"] as? String == "needsPerson")
        #expect(try world.payloads().contains(#""version":9"#))
        #expect(try world.run("jobs", "cancel", "1").status == 0)
        #expect(try world.jobs().isEmpty)
    }

    @Test func `a dry run of the jobs names what would be run now, and no more`() throws {
        func planned() throws -> String { try world.run("jobs", "run", "--dry-run").output }
        #expect(try planned().hasPrefix("would run job 1, export of "))
        #expect(try world.job()["isLeft"] as? Bool == true)
        let standings = [
            "state = 'waiting', due_since_boot = 1000000000000000", "state = 'waiting', open_needs = 1",
            "state = 'needsPerson'", "state = 'failed'", "state = 'waiting', kind = 'later.kind'",
        ]
        for standing in standings {
            _ = try world.sql(
                """
                DELETE FROM job_leases;
                UPDATE jobs SET due_since_boot = 0, open_needs = 0, kind = 'archive.export';
                UPDATE jobs SET \(standing)
                """)
            #expect(try planned() == "nothing would change\n", "\(standing)")
            #expect(try world.run("jobs", "run").output.isEmpty, "\(standing)")
        }
        _ = try world.sql("UPDATE jobs SET state = 'waiting', kind = 'archive.export'")
        #expect(try planned().hasPrefix("would run job 1, export of "))
        #expect(try world.run("jobs", "run").output.contains("is done"))
    }

    @Test func `a job of a kind that only a newer version knows is left alone, and nobody is sent to run it`()
        throws
    {
        _ = try world.sql("UPDATE jobs SET kind = 'later.kind'")
        let run = try world.run("jobs", "run", "--exit-code")
        #expect(run.status == 20 && run.errors.contains("newer version of valise; skipped"), "\(run.errors)")
        #expect(try world.run("jobs", "resume", "1").status == 14)
        #expect(try world.run("jobs", "run").status == 0)
        #expect(try world.job()["isKnown"] as? Bool == false)
        if Program.tool("python3") != nil {
            let told = try world.atTerminal("account", "status", world.account)
            #expect(told.contains("1 job of a newer version of valise"), "\(told)")
            #expect(!told.contains("jobs run"), "\(told)")
        }
        #expect(try world.payloads().contains("later.kind"))
    }

    @Test(arguments: ["resume", "run"])
    func `a job that cannot be read fails, and says so`(verb: String) throws {
        _ = try world.sql("UPDATE jobs SET payload = x'00'")
        let ended = try world.run(verb == "run" ? ["jobs", "run"] : ["jobs", "resume", "1"])
        #expect(ended.status == (verb == "run" ? 3 : 13), "\(ended.errors)")
        #expect(ended.errors.lowercased().contains("run the original command again"), "\(ended.errors)")
        #expect(try world.job()["state"] as? String == "failed")
        #expect(try world.run("jobs", "retry", "1").status == 0)
        #expect(try world.run("jobs", "run").status == 3)
        let again = try world.run("archive", "export", world.account, world.archive)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try world.job()["state"] as? String == "failed")
    }

    @Test(.enabled(if: Faultline.library != nil))
    func `a queue without room says so by its status, and its job is done by a later run`() throws {
        let jobs = world.queue.removingLastComponent()
        let save = world.folder.appending("save")
        try FileSystem().makeDirectory(save)
        var isTold = false
        for number in 1..<60 where !isTold {
            let run = try Faultline.run(
                ["jobs", "run"], .noSpace, at: number, root: jobs, save: save,
                environment: world.environment)
            // Where it is a flush that fails, SQLite does not say why.
            #expect([1, 15].contains(run.status), "operation \(number): \(run.errors)")
            #expect(["running", "waiting"].contains(try world.job()["state"] as? String), "\(number)")
            isTold = run.errors.contains("which will run again")
            #expect(run.status == 15 || !isTold, "\(run.errors)")
        }
        #expect(isTold)
        // Its workers were gone so often that it pauses by now. That the archive is there, it notices.
        let resumed = try world.run("jobs", "resume", "1")
        #expect(resumed.status == 0 && resumed.output.contains("was already complete"), "\(resumed.output)")
        #expect(try world.jobs("--all").isEmpty)
        #expect(try world.run("archive", "verify", world.archive, world.key).status == 0)
    }
}
