import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import Testing
import ValiseFiles

/// `valise session guard` on a profile of Session Desktop and a folder of Session iOS.
struct SessionGuardCommandTests {
    private let folder: TemporaryFolder
    private static let story = Story(seed: 5, messages: 40)

    init() throws {
        folder = try TemporaryFolder("valise-session", inMemory: true)
        try DesktopBuilder().write(Self.story, to: profile)
    }

    private var profile: FilePath { folder.appending("Session") }

    private func valise(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(
            Program.valise, ["session", "guard"] + arguments + ["--no-input"],
            environment: ["TMPDIR": folder.path.string])
    }

    /// The only guard beside the profile.
    private func guardPath() throws -> String {
        let names = try FileSystem().list(folder.path).compactMap(\.name)
        return folder.appending(try #require(names.first { $0.hasPrefix("Session-guard-") })).string
    }

    @Test func `a guard is taken, listed, restored and removed`() throws {
        let planned = try valise("take", profile.string, "--dry-run")
        #expect(planned.status == 0 && planned.output.hasPrefix("would create "), "\(planned.errors)")
        let taken = try valise("take", profile.string)
        #expect(taken.status == 0, "\(taken.errors)")
        let path = try guardPath()
        #expect(taken.output.hasPrefix("\(path): schema 11/54, "), "\(taken.output)")
        #expect(taken.output.contains(", 40 messages, "))
        let listed = try valise("list", profile.string, "--verify")
        #expect(listed.status == 0 && listed.output.contains("intact"), "\(listed.errors)")
        let document = try valise("list", profile.string, "--json")
        #expect(document.output.contains("\"state\":\"unverified\""), "\(document.output)")

        let before = try TemporaryFolder.contents(of: profile)
        try TestFiles.write("nothing", to: DesktopBuilder.database(profile))
        let plan = try valise("restore", path, "--dry-run")
        #expect(plan.output.hasPrefix("would replace the database in \(profile.string)"), "\(plan.errors)")
        let unasked = try valise("restore", path)
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        let restored = try valise("restore", path, "--yes")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.output.contains("the previous database is in \(profile.string)-before-restore-"))
        #expect(try TemporaryFolder.contents(of: profile) == before)
        let again = try valise("restore", path, "--yes", "--json")
        #expect(again.status == 0 && !again.output.contains("\"kept\""), "\(again.output)")

        #expect(try valise("remove", path, "--dry-run").output.contains("would remove \(path)"))
        let removed = try valise("remove", path, "--yes", "--json")
        #expect(removed.status == 0 && removed.output.contains("\"freed\":"), "\(removed.errors)")
        let none = try valise("list", profile.string)
        #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("no guards"))
    }

    @Test func `a database that another process has open is not replaced`() throws {
        #expect(try valise("take", profile.string, "--json").status == 0)
        let database = DesktopBuilder.database(profile)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "echo ready; exec sleep 60 < \"$1\"", "sh", database.string]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer { process.terminate() }
        _ = output.fileHandleForReading.availableData
        // The shell becomes the program that has the file.
        Thread.sleep(forTimeInterval: 0.3)
        try TestFiles.write("other", to: profile.appending("config.json.bak"))
        let refused = try valise("restore", try guardPath(), "--yes")
        #expect(refused.status == 11 && refused.errors.contains("in use by sleep"), "\(refused.errors)")
    }

    @Test func `a damaged guard and a wrong key have their exit statuses`() throws {
        #expect(try valise("take", profile.string).status == 0)
        let path = try guardPath()
        try TestFiles.write("other", to: FilePath(path).appending("config.json"))
        #expect(try valise("list", path, "--verify").status == 13)
        #expect(try valise("list", path, "--verify", "--json").status == 13)
        let refused = try valise("restore", path, "--yes")
        #expect(refused.status == 13, "\(refused.errors)")
        let phone = folder.appending("phone")
        try PhoneBuilder().write(Self.story, to: phone)
        let key = folder.appending("key")
        try TestFiles.write(Array(PhoneBuilder.key.reversed()), to: key)
        #expect(try valise("take", phone.string, "--passphrase-file", key.string).status == 12)
        #expect(try valise("take", phone.string).status == 64)
        try TestFiles.write(PhoneBuilder.key, to: key)
        let to = folder.appending("elsewhere")
        try FileSystem().makeDirectory(to)
        let taken = try valise(
            "take", phone.string, "--passphrase-file", key.string, "--to", to.string)
        #expect(taken.status == 0 && taken.output.contains("keep it"), "\(taken.errors)")
        #expect(try valise("list", to.string).output.contains("47 migrations"))
        let locked = folder.appending("locked")
        try DesktopBuilder(lock: .password("a long password")).write(Self.story, to: locked)
        let password = folder.appending("password")
        try TestFiles.write("a long password", to: password)
        let kept = try valise("take", locked.string, "--passphrase-file", password.string)
        #expect(kept.status == 0 && kept.output.contains("the password or key is not"), "\(kept.errors)")
    }

    @Test func `a profile without a database is refused with the one beside it`() throws {
        let other = folder.appending("Session-new")
        try FileSystem().makeDirectory(other)
        let refused = try valise("take", other.string)
        #expect(
            refused.status == 10 && refused.errors.contains("but in \(profile.string)"), "\(refused.errors)")
    }
}
