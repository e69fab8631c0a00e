#if os(Linux)
    import FaultInjection
    import Glibc
    import SystemPackage
    import Testing
    import ValiseAccounts
    import ValiseFailures
    import ValiseFiles

    /// What a reader does with an account that another program has open, where there is no place for copies and where there is.
    struct UsedAccountReaderTests {
        private let account: ChangedAccount
        private let program: Spawned

        init() throws {
            account = try ChangedAccount()
            program = try Spawned(
                "/bin/sleep", ["sleep", "60"],
                input: FileSystem().resolve(account.location.path(of: .chat)))
        }

        private func end() {
            kill(program.process, SIGKILL)
            _ = program.wait()
        }

        private func content(_ source: any ByteSource) throws -> [UInt8] {
            try [UInt8](unsafeUninitializedCapacity: 100) { memory, count in
                count = try source.read(into: UnsafeMutableRawBufferPointer(memory), at: 0)
            }
        }

        private func names() throws -> [String] {
            try account.fileSystem.list(account.location.directory).compactMap(\.name)
        }

        @Test func `copies are read, and go with the reader`() throws {
            defer { end() }
            let reader = try AccountReader(account.location, fileSystem: account.fileSystem)
            #expect(reader.holder == "sleep (PID \(program.process))")
            #expect(try names().contains { $0.contains(".valise-reading-") })
            // What is written after the moment is not read.
            for database in AccountDatabase.allCases {
                try account.fileSystem.replace(
                    account.location.path(of: database), with: ChangedAccount.later)
                #expect(try content(reader.source(of: database)) == ChangedAccount.old)
                #expect(try reader.stored(database).path == account.location.path(of: database))
            }
            _ = consume reader
            #expect(try !names().contains { $0.contains(".valise-reading-") })
        }

        @Test(arguments: [Errno.permissionDenied, .readOnlyFileSystem, .noSpace])
        func `where no copy can be made, the databases are read where they are`(_ errno: Errno) throws {
            defer { end() }
            let refusing = FileSystem(interposer: RefusingChanges(errno: errno, hasSpace: true))
            let reader = try AccountReader(account.location, fileSystem: refusing)
            #expect(reader.holder != nil)
            for database in AccountDatabase.allCases {
                #expect(try content(reader.source(of: database)) == ChangedAccount.old)
            }
            // Nobody commits meanwhile: a writer needs the shared bytes for itself.
            let writer = try account.fileSystem.openForUpdating(account.location.path(of: .agent))
            #expect(try !writer.lockRange(.exclusive, start: 0x4000_0002, length: 510))
            _ = consume reader
            #expect(try writer.lockRange(.exclusive, start: 0x4000_0002, length: 510))
        }

        @Test func `without room nothing is copied, and a hot journal is a refusal then`() throws {
            defer { end() }
            let full = FileSystem(interposer: RefusingChanges(errno: nil, hasSpace: false))
            var reader: AccountReader? = try AccountReader(account.location, fileSystem: full)
            #expect(try reader.map { try content($0.source(of: .chat)) } == ChangedAccount.old)
            #expect(try !names().contains { $0.contains(".valise-reading-") })
            reader = nil
            try account.fileSystem.replace(
                account.location.path(of: .agent).appendingSuffix("-journal"), with: [7])
            #expect {
                _ = try AccountReader(account.location, fileSystem: full)
            } throws: {
                ($0 as? any Failure)?.code == .noSpace
            }
        }

        @Test func `a glance holds up programs until it releases the databases`() throws {
            defer { end() }
            let reader = try AccountReader(
                lookingAt: account.location, copiesUpTo: 0, fileSystem: account.fileSystem)
            #expect(reader.holdsUpPrograms && reader.holder == "sleep (PID \(program.process))")
            let writer = try account.fileSystem.openForUpdating(account.location.path(of: .agent))
            for database in AccountDatabase.allCases {
                #expect(try content(reader.source(of: database)) == ChangedAccount.old)
            }
            #expect(try !writer.lockRange(.exclusive, start: 0x4000_0002, length: 510))
            reader.releaseDatabases()
            #expect(try writer.lockRange(.exclusive, start: 0x4000_0002, length: 510))
            #expect(throws: AccountError.self) { _ = try reader.source(of: .chat) }
            #expect(throws: AccountError.self) { _ = try reader.unfolded(.chat) }
            #expect(!reader.holdsUpPrograms)
            #expect(try !names().contains { $0.contains(".valise-reading-") })
        }

        @Test func `a glance copies small databases, and removes the copies`() throws {
            defer { end() }
            let reader = try AccountReader(
                lookingAt: account.location, copiesUpTo: 1 << 20, fileSystem: account.fileSystem)
            #expect(!reader.holdsUpPrograms)
            let writer = try account.fileSystem.openForUpdating(account.location.path(of: .agent))
            #expect(try writer.lockRange(.exclusive, start: 0x4000_0002, length: 510))
            #expect(try content(reader.source(of: .agent)) == ChangedAccount.old)
            #expect(try names().contains { $0.contains(".valise-reading-") })
            reader.releaseDatabases()
            #expect(try !names().contains { $0.contains(".valise-reading-") })
            withExtendedLifetime(writer) {}
        }

        @Test func `a glance at an account that another run changes sees no rows`() throws {
            end()
            let changing = try account.open()
            let reader = try AccountReader(
                lookingAt: account.location, copiesUpTo: 0, fileSystem: account.fileSystem)
            #expect(reader.holder != nil)
            #expect(throws: AccountError.self) { _ = try reader.source(of: .chat) }
            #expect(try reader.ownFile(of: .chat)?.size == Int64(ChangedAccount.old.count))
            withExtendedLifetime(changing) {}
        }

        @Test func `a journal of a writer who lives is not read`() throws {
            defer { end() }
            try account.fileSystem.replace(
                account.location.path(of: .chat).appendingSuffix("-journal"), with: [7])
            let writer = try account.fileSystem.openForUpdating(account.location.path(of: .chat))
            #expect(try writer.lockRange(.exclusive, start: 0x4000_0001, length: 1))
            let reader = try AccountReader(account.location, fileSystem: account.fileSystem)
            #expect(try !reader.stored(.chat).needsFolding)
            #expect(try content(reader.source(of: .chat)) == ChangedAccount.old)
            withExtendedLifetime(writer) {}
        }

        @Test
        func `what is the beginning of a change is refused, and so is an account that another run changes`()
            throws
        {
            #expect {
                _ = try AccountReader(account.location, use: .refused, fileSystem: account.fileSystem)
            } throws: {
                ($0 as? AccountError)?.code == .inUse
            }
            end()
            let changing = try account.open()
            #expect {
                _ = try AccountReader(account.location, fileSystem: account.fileSystem)
            } throws: {
                ($0 as? AccountError)?.code == .inUse
            }
            withExtendedLifetime(changing) {}
        }
    }

    /// A file system that takes nothing, or has no space.
    private struct RefusingChanges: FileInterposer {
        let errno: Errno?
        let hasSpace: Bool

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            errno.map { .fail($0) } ?? .proceed
        }

        func freeSpace(_ space: Int64) -> Int64 { hasSpace ? space : 0 }
    }
#endif
