import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance

struct AccountCreationTests {
    @Test func `makes both databases at the newest schema, private, and the folders`() throws {
        let fixture = try AccountFixture()
        let status = try AccountInspection().status(fixture.location, passphrase: AccountFixture.key())
        for (_, database) in status.databases {
            #expect(database.form == .encrypted)
            #expect(database.access == .opened)
            #expect(database.cipher?.pageSize == 4096)
            #expect(database.schema?.origin == .valise)
            #expect(database.schema?.pending == [])
            #expect(database.schema?.drift?.isClean == true)
        }
        #expect(status.media.exists && status.wallpapers.exists)
        #expect(!status.isWorkPending)
        for database in AccountDatabase.allCases {
            let found = try fixture.fileSystem.attributes(of: fixture.location.path(of: database))
            #expect(found?.permissions == .ownerReadWrite)
        }
        let folder = try fixture.fileSystem.attributes(of: fixture.location.directory)
        #expect(folder?.permissions == .ownerReadWriteExecute)
        try fixture.expectNoLeftovers()
    }

    @Test func `refuses a folder with an account, and with half of one`() throws {
        let fixture = try AccountFixture(marker: "kept")
        for _ in 0..<2 {
            #expect {
                try AccountCreation().create(fixture.location, passphrase: AccountFixture.key())
            } throws: {
                let error = $0 as? AccountError
                return error?.code == .alreadyExists && error?.remedy == .chooseAnotherPrefix
            }
            if try fixture.fileSystem.exists(fixture.location.path(of: .agent)) {
                #expect(try AccountFixture.marks(fixture.location) == ["kept", "kept"])
                try fixture.fileSystem.remove(fixture.location.path(of: .agent))
            }
        }
    }

    @Test func `crashed at any operation, there is a whole account or none`() throws {
        let folder = try TemporaryFolder()
        let location = AccountLocation(directory: folder.appending("new"))
        var position = FaultSweep.first(step: 1)
        var reached = true
        while reached {
            try FileSystem().removeTree(location.directory)
            let plan = FaultPlan(.crash, at: position)
            _ = try? AccountCreation(fileSystem: FileSystem(interposer: plan)).create(
                location, passphrase: AccountFixture.key())
            reached = plan.wasReached
            // The same command again: it completes, or cleans up and creates.
            let again = Result {
                try AccountCreation().create(location, passphrase: AccountFixture.key())
            }
            if case .failure(let error) = again {
                #expect((error as? AccountError)?.code == .alreadyExists, "operation \(position)")
            }
            let status = try AccountInspection().status(location, passphrase: AccountFixture.key())
            #expect(status.chat.access == .opened && status.agent.access == .opened)
            #expect(status.interrupted == nil && status.media.exists && status.wallpapers.exists)
            position += FaultSweep.step(1)
        }
        #expect(position > 15)
    }

    @Test func `where the disk is full, the folder that the user named is told, and no database is there`()
        throws
    {
        let folder = try TemporaryFolder()
        let location = AccountLocation(directory: folder.appending("new"))
        var position = 1
        var told = 0
        while true {
            let plan = FaultPlan(.fail(.noSpace), at: position)
            let result = Result {
                try AccountCreation(fileSystem: FileSystem(interposer: plan)).create(
                    location, passphrase: AccountFixture.key())
            }
            guard plan.wasReached else { break }
            // Before anything is decided; later the next run completes it.
            if case .failure(let error as AccountError) = result, error.message.contains("a new account") {
                #expect(error.path == location.directory && error.code == .noSpace)
                #expect(try !FileSystem().exists(location.path(of: .chat)))
                told += 1
            }
            try FileSystem().removeTree(location.directory)
            // The first failures are those that tell it.
            position += told == 0 ? 1 : FaultSweep.step(1)
        }
        #expect(told > 0)
    }

    @Test func `the status needs no passphrase and changes nothing`() throws {
        let fixture = try AccountFixture(marker: "committed")
        try HotJournal.leave(fixture.location.path(of: .chat), fixture)
        try fixture.fileSystem.replace(
            fixture.location.path(of: .chat).appendingSuffix(".bak"), with: [1])
        let before = try TemporaryFolder.contents(of: fixture.location.directory)
        let status = try AccountInspection().status(fixture.location, passphrase: nil)
        #expect(status.chat.access == .noPassphrase)
        #expect(status.chat.journal ?? 0 > 0)
        #expect(status.chat.copies == ["simplex_v1_chat.db.bak"])
        #expect(status.isWorkPending)
        // Read from a copy, with the journal applied.
        let known = try AccountInspection().status(fixture.location, passphrase: AccountFixture.key())
        #expect(known.chat.access == .opened && !known.chat.isDamaged, "\(known.chat.problem ?? "")")
        #expect(known.chat.schema?.origin == .valise)
        #expect(try TemporaryFolder.contents(of: fixture.location.directory) == before)
    }
}
