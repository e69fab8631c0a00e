import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// What a hostile or damaged archive may do: be refused by name, and leave everything as it was.
@Suite struct HostileArchiveTests {
    @Test func thereAreManyKinds() {
        #expect(HostileKind.all.count >= 45)
        #expect(Set(HostileKind.all.map(\.name)).count == HostileKind.all.count)
    }

    @Test(arguments: HostileKind.all)
    func changesNothingInANewPlace(_ kind: HostileKind) throws {
        try refused(kind, in: try Sandbox())
    }

    @Test(arguments: FaultSweep.few(of: HostileKind.all))
    func changesNothingInAnExistingAccount(_ kind: HostileKind) throws {
        let sandbox = try Sandbox()
        try sandbox.makeAccount()
        try refused(kind, in: sandbox)
    }

    private func refused(_ kind: HostileKind, in sandbox: Sandbox) throws {
        try sandbox.write(try kind.make(), to: "archive.zip")
        let before = try sandbox.snapshot()
        let size = try sandbox.size()
        let archiveSize = try sandbox.fileSystem.attributes(of: sandbox.archive)?.size ?? 0
        var peak = size
        var failure: (any Error)?
        do {
            _ = try ArchiveImport(.init(replacesAccount: true, limits: kind.limits, replacesNewer: true))
                .import(
                    sandbox.archive, to: sandbox.target
                ) { _ in peak = max(peak, (try? sandbox.size()) ?? 0) }
        } catch { failure = error }
        let found = failure as? any Failure
        switch kind.expected {
        case .defect(let defect):
            #expect((found as? ZipError)?.defect == defect, "\(failure.map { "\($0)" } ?? "accepted")")
        case .failure(let code):
            #expect(found?.code == code, "\(failure.map { "\($0)" } ?? "accepted")")
            #expect(!(found is ZipError))
        }
        var after = try sandbox.snapshot()
        // The folder above the account is made on demand, and was there.
        #expect(Set(after.keys) == Set(before.keys))
        for (path, bytes) in before where after.removeValue(forKey: path) != bytes {
            Issue.record("\(path) changed")
        }
        #expect(peak <= size + archiveSize + 1 << 20)
        #expect(found.map { $0.description.unicodeScalars.allSatisfy { $0.value >= 32 } } == true)
    }

    // MARK: Damage in media is told, and the rest arrives

    private static let damagedMedia: [(String, ForgedEntry)] = [
        ("checksum", ForgedEntry("simplex_v1_files/bad", [1, 2, 3]).with { $0.both { $0.checksum ^= 1 } }),
        (
            "deflated checksum",
            ForgedEntry.deflated("simplex_v1_files/bad", [1, 2, 3]).with { $0.both { $0.checksum ^= 1 } }
        ),
        (
            "checksum of something where nothing is",
            ForgedEntry("simplex_v1_files/bad").with { $0.both { $0.checksum = 1 } }
        ),
        (
            "not even the end of a deflated stream",
            ForgedEntry("simplex_v1_files/bad").with {
                $0.both { header in (header.method, header.checksum) = (8, 1) }
            }
        ),
        (
            "damaged stream",
            ForgedEntry.deflated("simplex_v1_files/bad", [UInt8](repeating: 5, count: 3000)).with {
                $0.packed[0] = 7
            }
        ),
        (
            "more than it claims",
            ForgedEntry.deflated("simplex_v1_files/bad", [1, 2, 3, 4]).with { $0.both { $0.size = 2 } }
        ),
        (
            "less than it claims",
            ForgedEntry.deflated("simplex_v1_files/bad", [1, 2, 3, 4]).with { $0.both { $0.size = 20 } }
        ),
    ]

    @Test(arguments: damagedMedia.map(\.0))
    func damageInMediaIsTold(_ name: String) throws {
        let sandbox = try Sandbox()
        var zip = try Forged.account()
        let bad = try #require(Self.damagedMedia.first { $0.0 == name }).1
        let good = [ForgedEntry("simplex_v1_files/a", [1]), ForgedEntry.deflated("simplex_v1_files/z", [2])]
        zip.entries = [good[0], bad] + zip.entries + [good[1]]
        try sandbox.write(zip.bytes, to: "archive.zip")
        let report = try ArchiveImport().import(sandbox.archive, to: sandbox.target)
        #expect(report.entries == 4)
        #expect(report.archiveErrors.count == 1)
        guard case .fileError("simplex_v1_files/bad", _) = report.archiveErrors.first else {
            Issue.record("\(report.archiveErrors)")
            return
        }
        let found = try sandbox.snapshot(of: "home/account")
        #expect(found["simplex_v1_files/a"] == [1])
        #expect(found["simplex_v1_files/z"] == [2])
        #expect(found["simplex_v1_files/bad"] == nil)
        #expect(found["simplex_v1_chat.db"] == (try Sample.databases[.chat]))
    }

    @Test func damageInMediaKeepsThePreviousFile() throws {
        let sandbox = try Sandbox()
        try sandbox.makeAccount()
        var zip = try Forged.account()
        zip.entries.append(
            ForgedEntry("simplex_v1_files/shared.txt", [9]).with { $0.both { $0.checksum ^= 1 } })
        try sandbox.write(zip.bytes, to: "archive.zip")
        let report = try ArchiveImport(.init(replacesAccount: true, replacesNewer: true)).import(
            sandbox.archive, to: sandbox.target)
        #expect(report.archiveErrors.count == 1)
        let found = try sandbox.snapshot(of: "home/account/simplex_v1_files")
        #expect(found["shared.txt"] == Array("old".utf8))
        #expect(found["mine.txt"] == Array("mine".utf8))
    }

    @Test func readsOnWhereAllIsDamaged() throws {
        let sandbox = try Sandbox()
        let entries = (0..<100).map { index in
            ForgedEntry.deflated("simplex_v1_files/\(index)", [1, 2, 3]).with { $0.packed[0] = 7 }
        }
        try sandbox.write(ZipForge(entries).bytes, to: "archive.zip")
        let index = try ZipIndex(try sandbox.fileSystem.openForReading(sandbox.archive))
        var damaged: [String] = []
        try ZipContents(index, try FileSource(sandbox.archive)).extract(
            begin: { _ in true }, consume: { _ in },
            end: { entry, outcome in
                if case .damaged = outcome { damaged.append(entry.name) }
            })
        #expect(damaged == index.entries.map(\.name))
    }

    /// A write-ahead log is switched off in what arrives.
    @Test func putsTheJournalModeRight() throws {
        let sandbox = try Sandbox()
        var chat = try #require(try Sample.databases[.chat])
        chat[18] = 2
        chat[19] = 2
        let agent = try #require(try Sample.databases[.agent])
        try sandbox.write(Forged.account(chat: chat, agent: agent).bytes, to: "archive.zip")
        _ = try ArchiveImport().import(sandbox.archive, to: sandbox.target)
        let found = try sandbox.snapshot(of: "home/account")
        #expect(found["simplex_v1_chat.db"]?[18...19] == [1, 1])
        #expect(!found.keys.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
    }

    @Test func manyDamagedFilesEndInTime() throws {
        let sandbox = try Sandbox()
        var zip = try Forged.account()
        zip.entries += (0..<500).map { index in
            ForgedEntry.deflated("simplex_v1_files/\(index)", [1, 2, 3]).with { $0.packed[0] = 7 }
        }
        try sandbox.write(zip.bytes, to: "archive.zip")
        let report = try ArchiveImport().import(sandbox.archive, to: sandbox.target)
        #expect(report.archiveErrors.count == 500)
        #expect(report.entries == 2)
    }
}
