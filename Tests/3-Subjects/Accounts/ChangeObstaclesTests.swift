import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is found before an operation is decided, and what it leaves behind.
struct ChangeObstaclesTests {
    private let account: ChangedAccount
    private var fileSystem: FileSystem { account.fileSystem }

    init() throws {
        account = try ChangedAccount()
    }

    private func expectRefused(
        _ code: FailureCode, operation: String = "test", _ prepare: (AccountChange) throws -> Void = { _ in }
    ) throws {
        let before = try TemporaryFolder.contents(of: account.location.directory)
        let error = try #require(throws: AccountError.self) {
            let change = try account.prepare(operation: operation)
            try prepare(change)
            try change.commit()
        }
        #expect(error.code == code)
        #expect(error.message.contains("Nothing was changed"))
        #expect(try TemporaryFolder.contents(of: account.location.directory) == before)
        #expect(try account.open().recovery == nil)
    }

    private func stageFile(_ change: AccountChange) throws {
        let folder = try change.stageFolder("files", mergingInto: account.location.filesName)
        try fileSystem.replace(folder.appending("a"), with: ChangedAccount.new)
    }

    @Test(.enabled(if: geteuid() != 0, "an administrator may write anywhere"))
    func `a media folder that may not be written is found before the decision`() throws {
        try fileSystem.setPermissions([.ownerRead, .ownerExecute], of: account.location.filesFolder)
        defer {
            try? fileSystem.setPermissions(.ownerReadWriteExecute, of: account.location.filesFolder)
        }
        try expectRefused(.denied) { try stageFile($0) }
        // So is one in which it would have to be made.
        try expectRefused(.denied) { change in
            _ = try change.stageFolder("files", mergingInto: account.location.filesName + "/a/b")
        }
        try expectRefused(.denied) { $0.needsFolder(account.location.filesName + "/a") }
    }

    @Test(.enabled(if: FileSystem().mountIdentifier(of: "/proc") != nil, "the system tells no mounts"))
    func `mounts are told apart`() throws {
        #expect(fileSystem.mountIdentifier(of: "/proc") != fileSystem.mountIdentifier(of: "/"))
        #expect(
            fileSystem.mountIdentifier(of: account.folder.path)
                == fileSystem.mountIdentifier(of: account.location.filesFolder))
        #expect(fileSystem.mountIdentifier(of: account.folder.appending("missing")) == nil)
    }

    #if os(Linux)
        @Test func `another mount of the same file system is found before the decision`() throws {
            let elsewhere = account.folder.appending("elsewhere")
            try fileSystem.makeDirectory(elsewhere)
            let isMounted = elsewhere.withPlatformString { source in
                account.location.filesFolder.withPlatformString {
                    mount(source, $0, nil, UInt(MS_BIND), nil) == 0
                }
            }
            // Only an administrator may do that; others rely on him.
            guard isMounted else { return }
            defer { _ = account.location.filesFolder.withPlatformString { umount2($0, Int32(MNT_DETACH)) } }
            try expectRefused(.unsupported) { try stageFile($0) }
        }
    #endif

    @Test func `a journal that could not be read back is refused`() throws {
        // The steps make it large in truth; a long word does in less time.
        try expectRefused(.unsupported, operation: String(repeating: "x", count: 16 << 20))
    }

    @Test func `a journal of more than a megabyte is read by the next run`() throws {
        #expect(throws: AccountError.self) {
            try account.prepare(
                FileSystem(interposer: StuckDatabases()), operation: String(repeating: "x", count: 2 << 20)
            ).commit()
        }
        let journal = account.workFolder.appending("journal.json")
        #expect(try #require(try fileSystem.attributes(of: journal)).size > 2 << 20)
        #expect(try account.open().recovery?.state == .after)
        #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
    }

    /// No database can be put in place.
    private struct StuckDatabases: FileInterposer {
        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            if case .rename(_, let target) = operation, target.lastComponent?.string == "simplex_v1_chat.db",
                !target.string.contains("/new/")
            {
                .fail(.ioError)
            } else {
                .proceed
            }
        }
    }

    @Test func `the new databases belong to whom the previous ones belong`() throws {
        guard geteuid() == 0 else { return }
        for database in AccountDatabase.allCases {
            try fileSystem.openForUpdating(account.location.path(of: database)).setOwner(
                12_345, group: 54_321)
        }
        try account.prepare().commit()
        for database in AccountDatabase.allCases {
            let found = try #require(try fileSystem.attributes(of: account.location.path(of: database)))
            #expect((found.owner, found.group) == (12_345, 54_321))
        }
        #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
    }

    @Test func `an owner that cannot be given is found before the decision`() throws {
        guard geteuid() == 0 else { return }
        try fileSystem.openForUpdating(account.location.path(of: .agent)).setOwner(12_345, group: 54_321)
        let refusing = FileSystem(interposer: RefusingOwners())
        let error = try #require(throws: AccountError.self) { try account.prepare(refusing).commit() }
        #expect(error.code == .denied)
        #expect(error.message.contains("Nothing was changed"))
        #expect(try account.databases() == [ChangedAccount.old, ChangedAccount.old])
        #expect(try account.open().recovery == nil)
        #expect(try !fileSystem.exists(account.workFolder))
    }

    /// Refuses what changes a file without writing to it.
    private struct RefusingOwners: FileInterposer {
        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            if case .write(_, count: 0) = operation { .fail(.notPermitted) } else { .proceed }
        }
    }

    #if os(Linux)
        @Test func `an operation lets go of what it replaced, and not of what is there`() throws {
            let opened = try account.open()
            for _ in 0..<3 {
                let change = try opened.change("test")
                try fileSystem.replace(change.stagedPath(of: .chat), with: ChangedAccount.new)
                change.replaces(.chat)
                try change.commit()
                #expect(try openFiles().filter { $0.hasSuffix("(deleted)") } == [])
                for database in AccountDatabase.allCases {
                    let file = try fileSystem.openForUpdating(account.location.path(of: database))
                    #expect(try !file.lockRange(.shared, start: 0x4000_0002, length: 1))
                }
            }
            withExtendedLifetime(opened) {}
        }

        private func openFiles() throws -> [String] {
            try fileSystem.list("/proc/self/fd").compactMap { entry in
                guard let name = entry.name else { return nil }
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = buffer.withUnsafeMutableBytes {
                    readlink(
                        "/proc/self/fd/\(name)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), 4096)
                }
                let target = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
                return target.hasPrefix(account.folder.path.string) ? target : nil
            }
        }
    #endif
}
