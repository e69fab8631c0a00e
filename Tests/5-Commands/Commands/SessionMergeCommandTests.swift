import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import Testing
import ValiseFiles

/// `valise session merge` as a user runs it.
struct SessionMergeCommandTests {
    private let folder: TemporaryFolder
    private static let story = Story(seed: 51, messages: 210)

    private func path(_ name: String) -> String { folder.appending(name).string }

    init() throws {
        folder = try TemporaryFolder("valise-session", inMemory: true)
        var builder = DesktopBuilder(lock: .password("a long password"))
        builder.seal = DesktopBuilder.encryption
        try builder.write(Self.story, to: folder.appending("desktop"))
        try PhoneBuilder().write(Self.story, to: folder.appending("phone"))
        try TestFiles.write(PhoneBuilder.key, to: folder.appending("key"))
        try TestFiles.write("a long password\n", to: folder.appending("password"))
    }

    private func valise(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(
            Program.valise, arguments,
            environment: [
                "HOME": path("home"), "XDG_STATE_HOME": path("state"), "TMPDIR": folder.path.string,
            ])
    }

    private func merge(_ more: [String] = []) throws -> Program.Outcome {
        try valise(
            [
                "session", "merge", path("desktop"), path("phone"), path("merged"), "--include-expired",
                "--passphrase-file", path("key"), "--passphrase-file", path("password"),
            ] + more)
    }

    @Test func `two devices become one export, which is listed`() throws {
        let plan = try merge(["--dry-run", "--json"])
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.contains("\"type\":\"sessionMergePlan\""))
        #expect(try !FileSystem().exists(folder.appending("merged")))
        let report = try merge(["--json"])
        #expect(report.status == 0, "\(report.errors)")
        #expect(report.output.contains("\"messages\":\(Self.story.messages.count)"), "\(report.output)")
        #expect(report.output.contains("\"shared\":\(Self.story.messages.count)"))
        let list = try valise(["chat", "list", path("merged")])
        #expect(list.status == 0 && list.output.contains("Lokinet"), "\(list)")
        let again = try merge()
        #expect(again.status != 0 && again.errors.contains("already exists"), "\(again)")
    }

    @Test func `too few places and links are refused`() throws {
        #expect(try valise(["session", "merge", path("desktop"), path("merged")]).status == 64)
        #expect(try merge(["--media", "link"]).status == 64)
    }
}
