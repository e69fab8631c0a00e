import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// The report for a bug ticket names nobody and nothing.
struct DoctorReportTests {
    private let world: JobsWorld
    private let fileSystem = FileSystem()
    private var report: FilePath { world.folder.appending("report.md") }
    private var account: FilePath { world.folder.appending("marker-account") }

    init() throws {
        world = try JobsWorld()
        try fileSystem.rename(FilePath(world.account), to: account)
    }

    private func content() throws -> String {
        String(decoding: try fileSystem.contents(of: report, limit: 1 << 20), as: UTF8.self)
    }

    /// Relays of a user's own, none of which there is.
    private func listRelays() throws {
        let folder = world.folder.appending(".config/valise")
        try fileSystem.makeDirectories(folder)
        let fingerprint = String(repeating: "M", count: 42) + "A="
        let lines = ["one", "two"].map { "xftp://\(fingerprint)@marker-relay-\($0).invalid\n" }
        try fileSystem.replace(folder.appending("relays"), with: Array(lines.joined().utf8))
    }

    @Test func `nothing of this user is in it, though all of it was found`() throws {
        try world.killWhenBusy("archive", "export", account.string, world.archive)
        let stored = try world.run("key", "store", account.string, world.key, "--store", "file")
        #expect(stored.status == 0, "\(stored.errors)")
        try listRelays()
        let open = world.folder.appending("state/valise/marker-file")
        try fileSystem.replace(open, with: [1])
        try fileSystem.setPermissions([.ownerReadWrite, .otherRead], of: open)

        let outcome = try world.run("doctor", account.string, "--relays", "--report", report.string)
        #expect(outcome.status == 1, "\(outcome.errors)")
        let home = try #require(world.folder.path.lastComponent?.string)
        let markers = ["marker-account", "marker-relay-one", "marker-relay-two", "marker-file", home]
        for marker in markers { #expect(outcome.output.contains(marker), "\(marker): \(outcome.output)") }

        let text = try content()
        let secrets = [AccountState.passphrase, "5a5a", "MMMM", "export of", "a.zip", "report.md"]
        for marker in markers + ["marker"] + secrets + hostNames {
            #expect(!text.contains(marker), "\(marker): \(text)")
        }
        // What helps is there.
        let needed = [
            "# Valise diagnosis\n", "program: valise ", "kernel: ", "architecture: ", "memory: ",
            "SQLCipher 4",
            "(title)", "~/path-1", "relay-1 cannot be reached: failure 'failed'", "relay-2 cannot be reached",
        ]
        for piece in needed { #expect(text.contains(piece), "\(piece): \(text)") }
    }

    /// Without those so short that they could be a part of anything.
    private var hostNames: [String] {
        [ProcessInfo.processInfo.hostName].filter { $0.count > 6 && $0 != "localhost" }
    }

    @Test func `it is private, and replaces nothing unless that is asked for, and then only a report`() throws
    {
        #expect(try world.run("doctor", "--report", report.string).status < 2)
        let attributes = try #require(try fileSystem.attributes(of: report))
        #expect(attributes.permissions == .ownerReadWrite)
        let first = try content()

        let refused = try world.run("doctor", "--report", report.string)
        #expect(refused.status == 1 && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.hasSuffix("hint: to replace it, add --force\n"), "\(refused.errors)")
        #expect(try content() == first)
        #expect(try fileSystem.attributes(of: report)?.inode == attributes.inode)

        #expect(try world.run("doctor", "--report", report.string, "--force").status < 2)
        #expect(try fileSystem.attributes(of: report)?.inode != attributes.inode)

        try fileSystem.replace(report, with: Array("a letter".utf8))
        let other = try world.run("doctor", "--report", report.string, "--force")
        #expect(other.status == 1 && other.errors.contains("is not a diagnosis report"), "\(other.errors)")
        #expect(try content() == "a letter")
        let inAccount = account.appending("simplex_v1_chat.db-journal").string
        #expect(try world.run("doctor", "--report", inAccount).status == 64)
    }
}
