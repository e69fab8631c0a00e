import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Operations on an account, crashed and failed at every operation.
struct AccountChangeTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var location: AccountLocation { AccountLocation(directory: folder.appending("account")) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let old = Array("old".utf8)
    private static let new = Array("new".utf8)

    /// An account of files that are no databases: what is tested here is their exchange.
    private func makeAccount(withJournal: Bool) throws {
        try? fileSystem.removeTree(location.directory)
        try fileSystem.makeDirectories(location.filesFolder)
        for database in AccountDatabase.allCases {
            try fileSystem.replace(location.path(of: database), with: Self.old)
            if withJournal {
                try fileSystem.replace(
                    location.path(of: database).appendingSuffix("-journal"), with: Self.old)
            }
        }
        for name in ["kept.jpg", "both.jpg"] {
            try fileSystem.replace(location.filesFolder.appending(name), with: Self.old)
        }
    }

    private func change(_ fileSystem: FileSystem, keepsBackup: Bool) throws {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        let change = try account.change("test")
        for database in AccountDatabase.allCases {
            try fileSystem.replace(change.stagedPath(of: database), with: Self.new)
            change.replaces(database)
        }
        let files = try change.stageFolder("files", mergingInto: location.filesName)
        for name in ["both.jpg", "added.jpg"] {
            try fileSystem.replace(files.appending(name), with: Self.new)
        }
        change.needsFolder(location.wallpapersName)
        try change.commit(keepsBackup: keepsBackup)
    }

    private enum State { case before, after, torn }

    private func state() throws -> State {
        let databases = try AccountDatabase.allCases.map {
            try fileSystem.contents(of: location.path(of: $0), limit: 100)
        }
        let both = try fileSystem.contents(of: location.filesFolder.appending("both.jpg"), limit: 100)
        let added = try fileSystem.exists(location.filesFolder.appending("added.jpg"))
        if databases == [Self.old, Self.old], both == Self.old, !added { return .before }
        if databases == [Self.new, Self.new], both == Self.new, added { return .after }
        return .torn
    }

    @Test(arguments: [false, true], [false, true])
    func `crashed at any operation, the account is the old one or the new one`(
        withJournal: Bool, keepsBackup: Bool
    ) throws {
        var position = 1
        var reached = true
        var seen: Set<String> = []
        while reached {
            for fault in FaultSweep.turn(of: [FaultPlan.Fault.crash, .fail(.noSpace)], at: position) {
                try makeAccount(withJournal: withJournal)
                let plan = FaultPlan(fault, at: position)
                let result = Result { try change(FileSystem(interposer: plan), keepsBackup: keepsBackup) }
                reached = plan.wasReached
                let pending = try AccountRecovery.pending(location)
                let recovery = try AccountWriter(location, fileSystem: fileSystem).recovery
                #expect(recovery == pending)
                let state = try state()
                seen.insert("\(state)")
                #expect(state != .torn, "operation \(position), \(fault)")
                if case .success = result { #expect(state == .after) }
                // What the next run says is what is there.
                if let recovery { #expect((recovery.state == .after) == (state == .after)) }
                try expectNothingLeft(keepsBackup: keepsBackup && state == .after)
                if state == .after, withJournal {
                    #expect(try !fileSystem.exists(location.path(of: .chat).appendingSuffix("-journal")))
                }
            }
            position += 1
        }
        #expect(position > 20)
        #expect(seen == ["before", "after"])
    }

    private func expectNothingLeft(keepsBackup: Bool) throws {
        let names = try fileSystem.list(location.directory).compactMap(\.name).filter { $0.hasPrefix(".") }
        #expect(names == (keepsBackup ? [".valise-simplex_v1"] : []))
        if keepsBackup {
            let work = location.directory.appending(".valise-simplex_v1")
            #expect(try fileSystem.list(work).compactMap(\.name) == ["backup"])
        }
    }

    @Test
    func
        `the empty folder that a run leaves at its very end is removed, and stays where the account is locked`()
        throws
    {
        try makeAccount(withJournal: false)
        let work = location.directory.appending(".valise-simplex_v1")
        try fileSystem.makeDirectory(work)
        do {
            let lock = try AccountWriter.lockForPlan(location, fileSystem: fileSystem)
            #expect(try AccountWriter.complete(location) == nil)
            #expect(try fileSystem.exists(work))
            withExtendedLifetime(lock) {}
        }
        #expect(try AccountWriter.complete(location) == nil)
        #expect(try !fileSystem.exists(work))
        try expectNothingLeft(keepsBackup: false)
    }

    @Test func `recovery itself may be crashed at any operation`() throws {
        var position = 1
        var reached = true
        while reached {
            try makeAccount(withJournal: true)
            // Somewhere in the middle of putting in place.
            _ = try? change(FileSystem(interposer: FaultPlan(.crash, at: 32)), keepsBackup: false)
            guard try AccountRecovery.pending(location)?.state == .after else {
                Issue.record("the chosen operation is not behind the decision any more")
                return
            }
            let plan = FaultPlan(.crash, at: position)
            _ = try? AccountWriter(location, fileSystem: FileSystem(interposer: plan))
            reached = plan.wasReached
            _ = try AccountWriter(location, fileSystem: fileSystem)
            #expect(try state() == .after, "operation \(position)")
            try expectNothingLeft(keepsBackup: false)
            position += 1
        }
        #expect(position > 4)
    }

    @Test func `a backup is restored atomically`() throws {
        var position = 1
        var reached = true
        while reached {
            try makeAccount(withJournal: false)
            try change(fileSystem, keepsBackup: true)
            let plan = FaultPlan(.crash, at: position)
            _ = try? restore(FileSystem(interposer: plan))
            reached = plan.wasReached
            _ = try AccountWriter(location, fileSystem: fileSystem)
            let databases = try AccountDatabase.allCases.map {
                try fileSystem.contents(of: location.path(of: $0), limit: 100)
            }
            #expect(databases == [Self.new, Self.new] || databases == [Self.old, Self.old])
            if databases == [Self.new, Self.new] {
                #expect(try AccountBackup(location, fileSystem: fileSystem) != nil, "operation \(position)")
            }
            position += 1
        }
        #expect(position > 10)
    }

    private func restore(_ fileSystem: FileSystem) throws {
        let account = try AccountWriter(location, fileSystem: fileSystem)
        let backup = try #require(try AccountBackup(location, fileSystem: fileSystem))
        try backup.restore(account)
    }

    @Test func `a journal that leads out of the account is refused`() throws {
        try makeAccount(withJournal: false)
        let outside = folder.appending("outside")
        try fileSystem.replace(outside, with: Self.old)
        let work = location.directory.appending(".valise-simplex_v1")
        try fileSystem.makeDirectory(work)
        let start = #"{"act":"x","keepsBackup":false,"dropsBackup":false,"version":"#
        let journals = [
            start + #"1,"steps":[{"database":{"staged":"simplex_v1_chat.db","target":"../outside"}}]}"#,
            start + #"1,"steps":[{"folder":{"target":"/etc/x"}}]}"#,
            "not JSON",
        ]
        for journal in journals {
            try fileSystem.replace(work.appending("journal.json"), with: Array(journal.utf8))
            #expect { try AccountWriter(location, fileSystem: fileSystem) } throws: {
                ($0 as? AccountError)?.code == .damaged
            }
            #expect(try fileSystem.contents(of: outside, limit: 100) == Self.old)
        }
        try fileSystem.replace(
            work.appending("journal.json"), with: Array((start + #"4,"steps":[]}"#).utf8))
        #expect { try AccountWriter(location, fileSystem: fileSystem) } throws: {
            ($0 as? AccountError)?.code == .newer && ($0 as? AccountError)?.remedy == .updateProgram
        }
    }

    @Test func `a second run is told who holds the account`() throws {
        try makeAccount(withJournal: false)
        let held = try AccountLock(location, .exclusive, fileSystem: fileSystem)
        let error = try #require(throws: AccountError.self) {
            try AccountLock(location, .shared, fileSystem: fileSystem)
        }
        #expect(error.code == .inUse)
        #expect(error.message.contains("PID"))
        withExtendedLifetime(held) {}
    }
}
