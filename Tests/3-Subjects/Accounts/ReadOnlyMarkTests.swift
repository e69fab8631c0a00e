import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

struct ReadOnlyMarkTests {
    private let account: ChangedAccount
    private let fileSystem = FileSystem()
    private var location: AccountLocation { account.location }

    init() throws {
        account = try ChangedAccount()
        let change = try account.open().change("test")
        try change.marks(
            ReadOnlyMark(archive: "a.zip", archiveSize: 7, imported: "2026-01-31T12:00:00Z"))
        for database in AccountDatabase.allCases {
            try fileSystem.replace(change.stagedPath(of: database), with: ChangedAccount.new)
            change.replaces(database)
        }
        try change.commit()
    }

    @Test func `a marked account says so, in files that their owner cannot write to`() throws {
        let mark = try #require(try ReadOnlyMark.read(location, fileSystem: fileSystem))
        #expect(mark.archive == "a.zip" && mark.archiveSize == 7)
        for path in [location.readOnlyMarkPath] + AccountDatabase.allCases.map({ location.path(of: $0) }) {
            #expect(try fileSystem.attributes(of: path)?.permissions == .ownerRead)
        }
        #expect(location.readOnlyMarkPath.lastComponent == "simplex_v1.valise-archive")
    }

    @Test func `nothing is changed in a marked account, and reading leaves no trace`() throws {
        let before = try TemporaryFolder.contents(of: location.directory)
        let plan = FaultPlan(.none)
        #expect {
            _ = try AccountWriter(location, fileSystem: FileSystem(interposer: plan))
        } throws: {
            ($0 as? AccountError)?.code == .unsupported
        }
        #expect(throws: AccountError.self) { try ReadOnlyMark.refuse(location, fileSystem: fileSystem) }
        _ = try AccountReader(location, fileSystem: FileSystem(interposer: plan))
        _ = try AccountLock(location, .shared, fileSystem: FileSystem(interposer: plan))
        _ = try AccountWriter(location, toChange: false, fileSystem: FileSystem(interposer: plan))
        #expect(plan.count == 0)
        #expect(try TemporaryFolder.contents(of: location.directory) == before)
    }

    @Test(arguments: ["", "{", "[1]", #"{"archive":7}"#, "\u{0}"])
    func `a mark counts whatever it holds`(_ text: String) throws {
        try fileSystem.replace(location.readOnlyMarkPath, with: Array(text.utf8))
        #expect(try ReadOnlyMark.read(location, fileSystem: fileSystem)?.archive == nil)
        #expect(throws: AccountError.self) { _ = try account.open() }
    }

    @Test func `operations of previous kinds keep the journal that older programs understand`() throws {
        try fileSystem.remove(location.readOnlyMarkPath)
        for (marks, version) in [(false, 1), (true, 2)] {
            var found: [UInt8]?
            var position = 1
            while found == nil, position < 100 {
                let plan = FaultPlan(.crash, at: position)
                try? interrupt(FileSystem(interposer: plan), marks)
                found = try account.content(of: account.workFolder.appending("journal.json"))
                _ = try AccountWriter(location, toChange: false, fileSystem: fileSystem)
                position += 1
            }
            let text = String(decoding: try #require(found), as: UTF8.self)
            #expect(text.contains("\"version\":\(version)"))
        }
    }

    private func interrupt(_ fileSystem: FileSystem, _ marks: Bool) throws {
        let writer = try AccountWriter(location, toChange: false, fileSystem: fileSystem)
        let change = try writer.change("test")
        if marks { try change.marks(ReadOnlyMark(archive: nil, archiveSize: nil, imported: nil)) }
        change.needsFolder("x")
        try change.commit()
    }

    @Test func `a journal of a newer program is told from a damaged one`() throws {
        try fileSystem.makeDirectory(account.workFolder)
        let journal = account.workFolder.appending("journal.json")
        let cases: [(String, FailureCode)] = [
            (#"{"version":4,"steps":[{"teleport":{}}]}"#, .newer),
            (#"{"version":2,"steps":[{"teleport":{}}]}"#, .damaged),
            (
                #"{"act":"x","dropsBackup":false,"keepsBackup":false,"steps":[{"removal":{"target":"../b"}}],"version":3}"#,
                .damaged
            ),
            (
                #"{"act":"x","dropsBackup":false,"keepsBackup":false,"keepsFormerIn":"../x","steps":[],"version":2}"#,
                .damaged
            ),
            (
                #"{"act":"x","dropsBackup":false,"keepsBackup":false,"steps":[{"file":{"staged":"a","target":"../b"}}],"version":2}"#,
                .damaged
            ),
        ]
        for (text, code) in cases {
            try fileSystem.replace(journal, with: Array(text.utf8))
            #expect("\(text)") {
                _ = try AccountRecovery.pending(location)
            } throws: {
                ($0 as? AccountError)?.code == code
            }
        }
    }

    @Test func `what was written while a copy came into its place is restored, and the mark goes`() throws {
        var restored = 0
        for position in 1..<100 {
            try account.reset()
            _ = try? replaceMarked(FileSystem(interposer: FaultPlan(.crash, at: position)))
            let databases = try account.databases()
            guard databases.contains(ChangedAccount.old), databases.contains(ChangedAccount.new) else {
                continue
            }
            for (database, content) in zip(AccountDatabase.allCases, databases)
            where content == ChangedAccount.old {
                try account.overwrite(location.path(of: database), with: ChangedAccount.later)
            }
            #expect {
                try account.open()
            } throws: {
                ($0 as? AccountError)?.remedy == .rollBack(Remedy.Account(location))
            }
            let opened = try AccountWriter(location, toChange: false, fileSystem: fileSystem)
            #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
            try #require(try AccountBackup(location, fileSystem: fileSystem)).restore(opened)
            #expect(try account.databases().contains(ChangedAccount.later))
            #expect(try !account.databases().contains(ChangedAccount.new))
            #expect(try !ReadOnlyMark.isThere(location, fileSystem: fileSystem))
            #expect(try !fileSystem.exists(account.workFolder))
            restored += 1
        }
        #expect(restored > 0)
    }

    private func replaceMarked(_ fileSystem: FileSystem) throws {
        let change = try account.open(fileSystem).change("test")
        try change.marks(ReadOnlyMark(archive: "a.zip", archiveSize: 7, imported: nil))
        for database in AccountDatabase.allCases {
            try fileSystem.replace(change.stagedPath(of: database), with: ChangedAccount.new)
            change.replaces(database)
        }
        try change.commit()
    }
}
