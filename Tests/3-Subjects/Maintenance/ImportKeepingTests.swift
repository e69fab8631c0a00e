import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// Imports that keep the previous account, and imports of a copy to read.
struct ImportKeepingTests {
    @Test func `crashed at any operation, the previous account is kept if and only if the new one is there`()
        throws
    {
        let pair = try ImportedPair()
        let template = pair.old.folder.appending("template")
        try TemporaryFolder.copyTree(pair.target.directory, to: template)
        let before = try TemporaryFolder.contents(of: template)
        let options = ArchiveImport.Options(replacesAccount: true, keepsPreviousAs: "former")
        var seen: Set<Bool> = []
        var position = FaultSweep.first(step: 1)
        var reached = true
        while reached {
            try pair.old.restore(from: template)
            let plan = FaultPlan(
                [.crash, .fail(.noSpace), .shortWrite][position / FaultSweep.step(1) % 3], at: position)
            _ = try? pair.import(options, fileSystem: FileSystem(interposer: plan))
            reached = plan.wasReached
            _ = try AccountWriter(pair.target, fileSystem: pair.fileSystem)
            let isNew = try AccountFixture.marks(pair.target) == ["new", "new"]
            if isNew {
                #expect(try TemporaryFolder.contents(of: pair.kept) == before, "operation \(position)")
            } else {
                #expect(try TemporaryFolder.contents(of: pair.target.directory) == before)
            }
            seen.insert(isNew)
            position += FaultSweep.step(1)
        }
        #expect(position > 30)
        #expect(seen == [true, false])
    }

    @Test func `the kept account goes back by export and import`() throws {
        let pair = try ImportedPair()
        let before = try TemporaryFolder.contents(of: pair.target.directory)
        let report = try pair.import(.init(replacesAccount: true, keepsPreviousAs: "former"))
        #expect(report.keptPrevious?.directory == pair.kept.string)
        #expect(report.keptPrevious?.media.linked == 5 && report.keptPrevious?.media.copied == 0)
        let back = pair.old.folder.appending("back.zip")
        _ = try ArchiveExport().export(AccountLocation(directory: pair.kept), to: back)
        _ = try ArchiveImport(.init(replacesAccount: true, replacesNewer: true)).import(back, to: pair.target)
        let now = try TemporaryFolder.contents(of: pair.target.directory)
        for (name, content) in before { #expect(now[name] == content, "\(name)") }
    }

    @Test func `an archive to read is marked if and only if it is there`() throws {
        let pair = try ImportedPair()
        let target = AccountLocation(directory: pair.new.folder.appending("copy"))
        var seen: Set<Bool> = []
        var position = 1
        var reached = true
        while reached {
            try pair.fileSystem.removeTree(target.directory)
            let plan = FaultPlan(position % 2 == 0 ? .crash : .fail(.noSpace), at: position)
            _ = try? pair.import(
                .init(isReadOnly: true), to: target, fileSystem: FileSystem(interposer: plan))
            reached = plan.wasReached
            if try pair.fileSystem.exists(target.directory) {
                _ = try AccountWriter(target, toChange: false, fileSystem: pair.fileSystem)
            }
            let isThere = try pair.fileSystem.exists(target.path(of: .chat))
            #expect(try pair.fileSystem.exists(target.path(of: .agent)) == isThere)
            #expect(
                try ReadOnlyMark.isThere(target, fileSystem: pair.fileSystem) == isThere,
                "operation \(position)")
            seen.insert(isThere)
            position += 1
        }
        #expect(seen == [true, false])
    }

    @Test func `every operation that changes refuses an archive to read, and reading leaves it as it is`()
        throws
    {
        let pair = try ImportedPair()
        let target = AccountLocation(directory: pair.new.folder.appending("copy"))
        _ = try pair.import(.init(isReadOnly: true), to: target)
        let before = try ImportedPair.tree(target.directory)
        let operations: [() throws -> Void] = [
            {
                _ = try AccountMigration().run(
                    target, passphrase: try AccountFixture.key(), confirmation: .yesUp)
            },
            { _ = try AccountCompaction().run(target, passphrase: try AccountFixture.key()) },
            { _ = try pair.import(to: target) },
            { _ = try pair.plan(to: target) },
            { _ = try AccountMigration().rollBack(target) },
            { try AccountCreation().create(target, passphrase: try AccountFixture.key()) },
        ]
        for (number, operation) in operations.enumerated() {
            #expect("operation \(number)") {
                try operation()
            } throws: {
                ($0 as? AccountError)?.code == .unsupported
            }
        }
        let status = try AccountInspection().status(target, passphrase: try AccountFixture.key())
        #expect(status.readOnly?.archive == "a.zip" && !status.isWorkPending)
        _ = try ArchiveExport().export(target, to: pair.new.folder.appending("again.zip"))
        #expect(try ImportedPair.tree(target.directory) == before)
        #expect(try AccountFixture.marks(target) == ["new", "new"])
    }

    @Test func `without hard links the space for the media is looked at before they are copied`() throws {
        let pair = try ImportedPair()
        let path = pair.target.filesFolder.appending("large")
        try pair.fileSystem.replace(path, with: [])
        // Sparse: it takes no space itself.
        try pair.fileSystem.openForUpdating(path).truncate(to: 1 << 45)
        let before = try pair.fileSystem.list(pair.target.directory).compactMap(\.name)
        struct Copied: Error {}
        #expect {
            _ = try ArchiveImport(
                .init(replacesAccount: true, keepsPreviousAs: "former"),
                fileSystem: FileSystem(interposer: NoProbe())
            ).import(pair.archive, to: pair.target, passphrase: AccountFixture.key()) {
                if $0.activity.contains("copying") { throw Copied() }
            }
        } throws: {
            ($0 as? AccountArchiveError)?.code == .noSpace
        }
        #expect(try pair.fileSystem.list(pair.target.directory).compactMap(\.name) == before)
    }
}

/// A file system without hard links, as far as an import tries.
private final class NoProbe: FileInterposer {
    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        guard case .create(let path) = operation, ["probe", "large"].contains(path.lastComponent?.string)
        else {
            return .proceed
        }
        return .fail(.notPermitted)
    }
}
