import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseChatSchema
import ValiseConcurrency
import ValiseFiles
import ValiseMaintenance
import ValiseMedia

/// Archives with nothing wrong in them, and what is said of them with and without the passphrase.
struct IntactArchiveTests {
    @Test(arguments: [ZipMethod.stored, .deflated])
    func `a whole archive is good, and everything was looked at`(method: ZipMethod) throws {
        let archive = try VerifiedArchive(method)
        let report = try archive.report()
        #expect(report.verdict == .intact)
        #expect(report.importOutlook == .ready)
        #expect(report.notVerified.isEmpty)
        #expect(report.structure.entries == archive.files.count)
        #expect(report.contents?.files == archive.files.count)
        #expect(report.contents?.bytes == archive.files.reduce(0) { $0 + Int64($1.bytes.count) })
        for (database, findings) in report.databases {
            #expect(findings.isIntact && findings.isWalked)
            #expect(findings.checkedHMACs == findings.pages)
            #expect(Int64(findings.pages ?? 0) * 4096 == findings.size, "\(database)")
        }
        #expect(report.agreement?.isIntact == true)
        #expect(report.chatSchema?.origin == .valise)
        #expect(report.agentSchema?.pending == [])
        #expect(report.users?.first?.name == "alice")
        #expect(report.users?.contains { $0.name == nil } == true, "a hidden profile is not named")
        #expect(report.media?.verified.count ?? 0 > 0)
        #expect(report.mediaProblemCount == 0)
    }

    @Test(arguments: [ZipMethod.stored, .deflated])
    func `plain databases need no passphrase, and their pages carry no proof`(method: ZipMethod) throws {
        let report = try VerifiedArchive(isEncrypted: false, method).report(key: nil)
        #expect(report.verdict == .intact)
        #expect(report.importOutlook == .ready)
        #expect(report.notVerified.map(\.subject) == [.pages])
        #expect(report.notVerified.first?.reason == .notEncrypted)
        #expect(report.databases.count { $0.1.isWalked } == 2)
    }

    @Test func `without a passphrase it says what is not proved`() throws {
        let report = try VerifiedArchive().report(key: nil)
        #expect(report.verdict == .unverified)
        #expect(report.importOutlook == .notKnown)
        #expect(report.notVerified.map(\.subject) == [.pages, .tables, .schema, .media])
        #expect(report.notVerified.allSatisfy { $0.reason == .noPassphrase && $0.database == nil })
        #expect(report.databases.allSatisfy { $0.1.key == .notGiven && $0.1.form == .encrypted })
        #expect(report.contents?.problemCount == 0)
    }

    @Test func `a wrong passphrase is told from damage, and the rest is checked`() throws {
        let report = try VerifiedArchive().report(key: "77")
        #expect(report.verdict == .wrongPassphrase)
        #expect(report.contents?.problemCount == 0)
        #expect(report.notVerified.allSatisfy { $0.reason == .wrongPassphrase })
    }

    @Test func `what is no part of an account is named, and changes nothing`() throws {
        var archive = try VerifiedArchive()
        archive.files.append(("notes/today.txt", Array("bread".utf8)))
        archive.files.append(("simplex_v1_assets/wallpapers/wall.jpg", [1, 2, 3]))
        let report = try archive.report()
        #expect(report.verdict == .intact)
        #expect(report.structure.foreign == ["notes/today.txt"])
    }

    // MARK: The schema

    @Test func `an older schema has to be upgraded`() throws {
        var archive = try VerifiedArchive()
        try archive.execute(
            VerifiedArchive.chat, "DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)")
        let report = try archive.report()
        #expect(report.verdict == .intact)
        #expect(report.importOutlook == .upgradeNeeded)
        #expect(report.chatSchema?.pending.count == 1)
    }

    @Test func `a newer schema is one for a newer program`() throws {
        var archive = try VerifiedArchive()
        try archive.execute(
            VerifiedArchive.agent, "INSERT INTO migrations (name, ts) VALUES ('9999_later', '2030-01-01')")
        let report = try archive.report()
        #expect(report.verdict == .newer)
        #expect(report.importOutlook == .newerThanKnown)
        #expect(report.agentSchema?.unknown == ["9999_later"])
    }

    @Test func `databases of another program are not supported`() throws {
        var archive = try VerifiedArchive()
        try archive.execute(VerifiedArchive.chat, "UPDATE migrations SET name = 'x' || name")
        let report = try archive.report()
        #expect(report.verdict == .unsupported)
        #expect(report.importOutlook == .unknownSchema)
    }

    @Test func `one database encrypted and the other not is what an import refuses`() throws {
        var archive = try VerifiedArchive()
        let plain = try VerifiedArchive(isEncrypted: false).bytes(of: VerifiedArchive.agent)
        archive.change(VerifiedArchive.agent) { $0 = plain }
        let report = try archive.report()
        #expect(report.verdict == .unsupported)
        #expect(report.importOutlook == .refused)
        #expect(report.databases.allSatisfy { $0.1.isIntact })
    }

    // MARK: Nothing is touched

    @Test func `nothing is written, in a folder that cannot be written to`() throws {
        let archive = try VerifiedArchive(.deflated)
        try archive.write()
        let before = try TemporaryFolder.contents(of: archive.folder.path)
        let plan = FaultPlan(.none)
        #expect(try archive.verify(fileSystem: FileSystem(interposer: plan)).verdict == .intact)
        #expect(plan.count == 0)
        #expect(try TemporaryFolder.contents(of: archive.folder.path) == before)
    }

    @Test func `an archive that changes meanwhile is not called good`() throws {
        let archive = try VerifiedArchive()
        try archive.write()
        var isChanged = false
        let error = #expect(throws: VerificationError.self) {
            _ = try archive.verify { progress in
                guard !isChanged, progress.activity.contains("checksums") else { return }
                isChanged = true
                var file = try FileSystem().openForUpdating(archive.path)
                try file.append(contentsOf: try FileSystem().openForReading(archive.path))
            }
        }
        #expect(error?.message.contains("changed during") == true)
    }

    @Test func `it can be stopped anywhere, and leaves no thread behind`() throws {
        struct Stop: Error {}
        let archive = try VerifiedArchive()
        try archive.write()
        var activities: Set<String> = []
        _ = try archive.verify { activities.insert($0.activity) }
        #expect(activities.contains { $0.contains("checksums") })
        #expect(activities.contains { $0.contains("pages of the agent database") })
        #expect(activities.contains { $0.contains("tags") })
        #expect(activities.contains { $0.contains("checking the tables") })
        for activity in activities {
            #expect(throws: Stop.self, "\(activity)") {
                _ = try archive.verify { if $0.activity == activity { throw Stop() } }
            }
        }
    }
}
