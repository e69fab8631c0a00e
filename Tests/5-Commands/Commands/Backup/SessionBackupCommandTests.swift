import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import Testing
import ValiseFiles

/// `valise backup` and `valise archive` with a profile of Session Desktop.
struct SessionBackupCommandTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
        try fileSystem.replace(folder.appending("password"), with: Array("of the repository".utf8))
        try DesktopBuilder().write(Story(seed: 5, messages: 40), to: folder.appending("Session"))
    }

    private var profile: String { folder.appending("Session").string }

    private func valise(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise, arguments,
            environment: [
                "HOME": folder.path.string, "VALISE_NO_JOBS": "1",
                "RESTIC_REPOSITORY": folder.appending("repository").string,
                "RESTIC_PASSWORD_FILE": folder.appending("password").string,
            ])
    }

    private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
            "\(outcome.output)\(outcome.errors)")
    }

    @Test func `a profile is backed up, shown, restored and drilled`() throws {
        let made = try valise("backup", "init", "--no-input", "--allow-weak")
        #expect(made.status == 0, "\(made.errors)")
        let run = try valise("backup", "run", profile, "--no-input")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("profile of Session Desktop: ") && run.output.contains("40 messages"))
        let shown = try json(valise("backup", "show", "latest", "--json"))
        let session = (shown["account"] as? [String: Any])?["session"] as? [String: Any]
        #expect(session?["kind"] as? String == "session-desktop")
        #expect(session?["databaseOpened"] as? Bool == true && session?["messages"] as? Int == 40)
        let target = folder.appending("restored")
        let restored = try valise("backup", "restore", "latest", target.string, "--no-input")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(
            try TemporaryFolder.contents(of: target)
                == TemporaryFolder.contents(of: folder.appending("Session")))
        let again = try valise("backup", "restore", "latest", profile, "--into-existing", "--yes")
        #expect(again.status != 0 && again.errors.contains("new folder"))
        let drill = try valise("backup", "drill", "--no-input")
        #expect(drill.status == 0 && drill.output.contains("passed"), "\(drill.output)\(drill.errors)")
        let status = try valise("backup", "status", profile)
        #expect(status.output.contains(profile), "\(status.output)\(status.errors)")
    }

    @Test func `a profile is exported and compared`() throws {
        let tar = folder.appending("session.tar.zst").string
        let planned = try json(valise("archive", "export", profile, tar, "--dry-run", "--json"))
        #expect(planned["type"] as? String == "sessionExportPlan")
        let exported = try json(valise("archive", "export", profile, tar, "--json"))
        #expect(exported["type"] as? String == "sessionExported")
        let again = try valise("archive", "export", profile, tar)
        #expect(again.status != 0 && again.errors.contains("exists already"))
        #expect(try valise("archive", "verify", tar).status == 0)
        let out = folder.appending("out")
        #expect(try valise("archive", "export", profile, out.string).status == 0)
        try fileSystem.remove(out.appending("store/config.json"))
        let verified = try valise("archive", "verify", out.string, "--json")
        #expect(verified.status == 3)
        let document = try json(verified)
        #expect(document["type"] as? String == "sessionExportVerification")
        #expect(document["missing"] as? [String] == ["store/config.json"])
        let options = try valise("archive", "export", profile, tar, "--reproducible", "--force")
        #expect(options.status != 0)
    }
}
