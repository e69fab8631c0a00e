import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// An app that is started after an operation was interrupted and before Valise is.
struct LaterWorkTests {
    private let account: ChangedAccount

    init() throws {
        account = try ChangedAccount()
    }

    /// Crashes an operation at the operation.
    /// - Returns: whether there is such an operation.
    private func crash(at position: Int, withSideFiles: Bool) throws -> Bool {
        try account.reset(withSideFiles: withSideFiles)
        let plan = FaultPlan(.crash, at: position)
        _ = try? account.prepare(FileSystem(interposer: plan)).commit()
        return plan.wasReached
    }

    @Test func `a new database in the place of one that was moved away does not cost the moved one`() throws {
        var position = 1
        var gaps = 0
        while try crash(at: position, withSideFiles: true) {
            defer { position += 1 }
            let missing = AccountDatabase.allCases.filter { database in
                (try? account.content(of: account.location.path(of: database))) == .some(nil)
            }
            if missing.isEmpty { continue }
            gaps += 1
            for database in missing {
                let path = account.location.path(of: database)
                try account.fileSystem.replace(path, with: ChangedAccount.later)
                try account.fileSystem.replace(path.appendingSuffix("-journal"), with: ChangedAccount.later)
            }
            let recovery = try #require(try account.open().recovery)
            #expect(recovery.state == .after)
            #expect(recovery.keepsLaterWork)
            #expect(recovery.done.sentence.contains("are kept"))
            #expect(recovery.done.remedy == .rollBack(Remedy.Account(account.location)))
            #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
            let backup = try account.backup()
            for database in missing {
                let name = account.location.prefix + database.suffix
                #expect(backup[name] == ChangedAccount.old, "operation \(position)")
                #expect(backup[name + ".2"] == ChangedAccount.later, "operation \(position)")
                #expect(backup[name + ".2-journal"] == ChangedAccount.later, "operation \(position)")
                #expect(backup[name + "-journal"] != ChangedAccount.later, "operation \(position)")
            }
        }
        #expect(gaps >= 2)
    }

    /// The first operation at whose crash one database is in place and the other is not.
    private func positionBetweenDatabases() throws -> Int {
        for position in 1..<200 {
            #expect(try crash(at: position, withSideFiles: false))
            let databases = try account.databases()
            if databases.contains(ChangedAccount.new), databases.contains(ChangedAccount.old) {
                return position
            }
        }
        Issue.record("the databases are never apart")
        return 1
    }

    @Test func `what an app wrote is kept, wherever the recovery itself is interrupted`() throws {
        let between = try positionBetweenDatabases()
        var position = 1
        var reached = true
        while reached {
            for fault in FaultSweep.turn(of: [FaultPlan.Fault.crash, .fail(.noSpace)], at: position) {
                _ = try crash(at: between, withSideFiles: false)
                let index = try #require(try account.databases().firstIndex(of: ChangedAccount.old))
                let database = AccountDatabase.allCases[index]
                try account.overwrite(account.location.path(of: database), with: ChangedAccount.later)
                let plan = FaultPlan(fault, at: position)
                let first = Result { try account.open(FileSystem(interposer: plan)).recovery }
                reached = plan.wasReached
                let left = try AccountRecovery.pending(account.location)
                let second = try account.open().recovery
                #expect(left == second)
                #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
                let name = account.location.prefix + database.suffix
                #expect(try account.backup()[name] == ChangedAccount.later, "operation \(position), \(fault)")
                if case .success(let recovery) = first { #expect(recovery?.keepsLaterWork == true) }
                // Without the journal only leftovers are known.
                if let second, second.operation != nil { #expect(second.keepsLaterWork) }
            }
            position += 1
        }
        #expect(position > 15)
    }

    @Test func `a backup that is kept already is refused before anything is put in place`() throws {
        _ = try crash(at: try positionBetweenDatabases(), withSideFiles: false)
        let index = try #require(try account.databases().firstIndex(of: ChangedAccount.old))
        let path = account.location.path(of: AccountDatabase.allCases[index])
        try account.overwrite(path, with: ChangedAccount.later)
        let backup = account.workFolder.appending("backup")
        try account.fileSystem.makeDirectory(backup)
        let before = try TemporaryFolder.contents(of: account.location.directory)
        #expect { try account.open() } throws: { ($0 as? AccountError)?.code == .alreadyExists }
        #expect(try TemporaryFolder.contents(of: account.location.directory) == before)
        try account.fileSystem.removeDirectory(backup)
        _ = try account.open()
        #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
        #expect(try account.backup().values.contains(ChangedAccount.later))
    }

    @Test func `an operation that keeps a backup is refused where there is one`() throws {
        try account.prepare().commit(keepsBackup: true)
        for database in AccountDatabase.allCases {
            try account.fileSystem.replace(account.location.path(of: database), with: ChangedAccount.later)
        }
        #expect {
            try account.prepare().commit(keepsBackup: true)
        } throws: {
            ($0 as? AccountError)?.code == .alreadyExists
        }
        #expect(try account.open().recovery == nil)
        #expect(try account.databases() == [ChangedAccount.later, ChangedAccount.later])
    }
}
