#if os(Linux)
    import FaultInjection
    import Glibc
    import Synchronization
    import SystemPackage
    import Testing
    import ValiseAccounts
    import ValiseChatSchema
    import ValiseDatabase
    import ValiseFiles
    import ValiseMaintenance

    /// What a status does to programs that use the account.
    struct AccountInspectionTests {
        private let fixture: AccountFixture

        init() throws {
            fixture = try AccountFixture(marker: "before")
        }

        private func status(
            _ inspection: AccountInspection = AccountInspection()
        ) throws -> AccountStatus {
            try inspection.status(fixture.location, passphrase: AccountFixture.key())
        }

        /// A program that has the chat database open, as long as the body runs.
        private func whileUsed(_ body: () throws -> Void) throws {
            let program = try Spawned(
                "/bin/sleep", ["sleep", "60"], input: FileSystem().resolve(fixture.location.path(of: .chat)))
            defer {
                kill(program.process, SIGKILL)
                _ = program.wait()
            }
            try body()
        }

        private func expectRead(_ status: AccountStatus) throws {
            for (_, database) in status.databases {
                #expect(database.access == .opened, "\(database.problem ?? "")")
                #expect(database.schema?.drift != nil)
            }
            #expect(status.mediaSummary != nil)
            try fixture.expectNoLeftovers()
        }

        @Test func `when files are looked for, another connection writes without waiting`() throws {
            let writer = WritingBeside(fixture.location)
            let inspection = AccountInspection(fileSystem: FileSystem(interposer: writer))
            try expectRead(status(inspection))
            #expect(writer.outcomes == [true])
        }

        @Test(arguments: [0, .max] as [Int64])
        func `the same while a program has the account open`(_ largestCopy: Int64) throws {
            try whileUsed {
                let writer = WritingBeside(fixture.location)
                let inspection = AccountInspection(
                    largestCopy: largestCopy, longestHold: .seconds(60),
                    fileSystem: FileSystem(interposer: writer))
                let status = try status(inspection)
                try expectRead(status)
                #expect(status.inUse?.hasPrefix("sleep ") == true)
                // The first is while the copies are made.
                #expect(writer.outcomes.count == (largestCopy == 0 ? 1 : 2))
                #expect(writer.outcomes.last == true)
                #expect(writer.hasChanged == (largestCopy != 0))
            }
        }

        @Test func `large databases are copied where reading them takes long`() throws {
            try whileUsed {
                let writer = WritingBeside(fixture.location)
                let inspection = AccountInspection(
                    largestCopy: 0, longestHold: .zero, fileSystem: FileSystem(interposer: writer))
                try expectRead(status(inspection))
                #expect(writer.hasChanged)
            }
        }

        @Test func `without a passphrase nothing is copied`() throws {
            try whileUsed {
                let writer = WritingBeside(fixture.location)
                let inspection = AccountInspection(fileSystem: FileSystem(interposer: writer))
                let status = try inspection.status(fixture.location, passphrase: nil)
                #expect(status.inUse?.hasPrefix("sleep ") == true && status.chat.access == .noPassphrase)
                #expect(!writer.hasChanged && writer.outcomes == [true])
            }
        }

        @Test func `databases that a program has to itself are not read, and all else is told`() throws {
            let path = fixture.location.path(of: .chat)
            let program = try fixture.fileSystem.openForUpdating(path)
            #expect(try program.lockRange(.exclusive, start: 0x4000_0002, length: 510))
            let status = try status()
            #expect(status.inUse != nil)
            for (_, database) in status.databases {
                #expect(database.access == .failed && !database.isDamaged && database.schema == nil)
                #expect(database.problem?.contains("in use by another program") == true)
                #expect(database.form == .encrypted && database.size > 0)
            }
            #expect(status.media.exists && status.mediaSummary == nil)
            withExtendedLifetime(program) {}
        }

        @Test func `a write-ahead log is read, and no file is made beside the database`() throws {
            let path = fixture.location.path(of: .chat)
            let copy = fixture.folder.appending("copy")
            do {
                let connection = try Connection(path, mode: .readWrite, passphrase: AccountFixture.key())
                _ = try connection.value("PRAGMA journal_mode = WAL")
                try connection.execute("CREATE TABLE of_the_log (a)")
                try TemporaryFolder.copyTree(fixture.location.directory, to: copy)
            }
            // Once with a log that a program left, once with one that it took with it.
            for location in [AccountLocation(directory: copy), fixture.location] {
                let before = try TemporaryFolder.contents(of: location.directory)
                let status = try AccountInspection().status(location, passphrase: AccountFixture.key())
                #expect(status.chat.schema?.drift?.unknownObjects.contains("table of_the_log") == true)
                #expect((status.chat.writeAheadLog != nil) == (location.directory == copy))
                #expect(try TemporaryFolder.contents(of: location.directory) == before)
            }
        }
    }

    /// Writes to the chat database each time the free space is asked for: while copies are made, and at the end of a status. It is
    /// refused at once where the database is locked.
    private final class WritingBeside: FileInterposer {
        private let path: FilePath
        private let state = Mutex<(outcomes: [Bool], hasChanged: Bool)>(([], false))

        init(_ location: AccountLocation) { path = location.path(of: .chat) }

        var outcomes: [Bool] { state.withLock { $0.outcomes } }
        /// Whether a file was made or changed.
        var hasChanged: Bool { state.withLock { $0.hasChanged } }

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            state.withLock { $0.hasChanged = true }
            return .proceed
        }

        func freeSpace(_ space: Int64) -> Int64 {
            let isWritten: Bool
            do {
                let connection = try Connection(path, mode: .readWrite, passphrase: AccountFixture.key())
                try connection.execute("UPDATE marker SET text = 'beside'")
                isWritten = true
            } catch {
                isWritten = false
            }
            state.withLock { $0.outcomes.append(isWritten) }
            return space
        }
    }
#endif
