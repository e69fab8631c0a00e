import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSampleAccounts
import ValiseSecrets

/// An image gives the bytes of the account as it was read, or says that it cannot.
struct ArchiveImageChangeTests {
    /// What somebody may do to a file.
    enum Change: CaseIterable {
        case oneByte, oneByteMore, oneByteLess, empty, touched, replaced, removed, renamed, made

        func make(_ path: FilePath) throws {
            let fileSystem = FileSystem()
            let before = try #require(try fileSystem.attributes(of: path))
            func rewrite(_ bytes: [UInt8]) throws {
                var file = try fileSystem.openForUpdating(path)
                try file.truncate(to: 0)
                try file.write(bytes)
                try file.setModificationTime(before.modificationTime + 1)
            }
            var bytes = try fileSystem.contents(of: path, limit: 1 << 28)
            switch self {
            case .oneByte:
                bytes[bytes.count / 2] ^= 1
                try rewrite(bytes)
            case .oneByteMore: try rewrite(bytes + [0])
            case .oneByteLess: try rewrite(bytes.dropLast())
            case .empty: try rewrite([])
            case .touched:
                try fileSystem.openForUpdating(path).setModificationTime(
                    before.modificationTime, nanoseconds: (before.modificationNanoseconds + 1) % 1_000_000_000
                )
            case .replaced:
                // The same size and time, under the same name.
                let beside = path.appendingSuffix("x")
                var file = try fileSystem.create(beside)
                try file.write(bytes)
                try file.setModificationTime(
                    before.modificationTime, nanoseconds: before.modificationNanoseconds)
                try fileSystem.rename(beside, to: path)
            case .removed: try fileSystem.remove(path)
            case .renamed: try fileSystem.rename(path, to: path.appendingSuffix("y"))
            case .made:
                try fileSystem.remove(path)
                try fileSystem.makeDirectory(path)
            }
        }
    }

    private func account() throws -> (SampleAccountFixture, media: FilePath) {
        let account = try SampleAccountFixture()
        let media = account.location.filesFolder.appending("media ü")
        var file = try account.fileSystem.create(media)
        try file.write([UInt8](repeating: 9, count: 3_000_000))
        try file.setModificationTime(1_700_000_000, nanoseconds: 5)
        return (account, media)
    }

    private func expectChanged(_ path: FilePath, _ body: () throws -> Void) {
        let error = #expect(throws: AccountArchiveError.self) { try body() }
        #expect(error?.kind == .sourceChanged)
        #expect(error?.subject == path.string)
    }

    @Test(arguments: Change.allCases, [true, false])
    func `a change is found by a check and by a read`(change: Change, isMedia: Bool) throws {
        let (account, media) = try account()
        let path = isMedia ? media : account.location.path(of: .agent)
        let image = try ArchiveImage(account.location)
        try image.checkUnchanged()
        try change.make(path)
        expectChanged(path) { try image.checkUnchanged() }
        if change == .made {
            // The system does not open a folder as a file.
            let error = #expect(throws: AccountArchiveError.self) { _ = try image.bytes() }
            #expect(error?.subject == path.string)
        } else {
            expectChanged(path) { _ = try image.bytes() }
        }
        // Every other file is still read.
        #expect(try image.bytes(at: 0, count: 4096).count == 4096)
    }

    /// A file that is open is asked again each time.
    @Test(arguments: [Change.oneByte, .oneByteMore, .oneByteLess, .empty, .touched])
    func `a change in the midst of a file is found`(change: Change) throws {
        let (account, media) = try account()
        let image = try ArchiveImage(account.location)
        var start: Int64 = 0
        for entry in image.entries {
            if entry.name.hasSuffix("media ü") { break }
            start += entry.size
        }
        // Somewhere in its content.
        let place = start + 1_000_000
        #expect(try image.bytes(at: place, count: 1) == [9])
        try change.make(media)
        expectChanged(media) { _ = try image.bytes(at: place, count: 1) }
    }

    @Test func `a file that is replaced while it is open still gives the previous bytes`() throws {
        let (account, media) = try account()
        let image = try ArchiveImage(account.location)
        let place = image.entries.prefix { !$0.name.hasSuffix("media ü") }.reduce(1_000_000) { $0 + $1.size }
        #expect(try image.bytes(at: place, count: 1) == [9])
        try account.fileSystem.replace(media, with: [UInt8](repeating: 8, count: 3_000_000))
        #expect(try image.bytes(at: place + 1, count: 1) == [9])
        expectChanged(media) { try image.checkUnchanged() }
    }

    @Test(arguments: ["-journal", "-wal"])
    func `a journal that comes later is found`(suffix: String) throws {
        let (account, _) = try account()
        let image = try ArchiveImage(account.location)
        let path = account.location.path(of: .chat)
        try account.fileSystem.replace(path.appendingSuffix(suffix), with: [1])
        expectChanged(path) { try image.checkUnchanged() }
    }

    @Test func `a file that is written to while it is read is no image`() throws {
        let (account, media) = try account()
        let hasWritten = Mutex(false)
        let interposer = ReadInterposer { path, count in
            guard path == media, count > 0 else { return .proceed }
            let isFirst = hasWritten.withLock { written in
                defer { written = true }
                return !written
            }
            if isFirst { try? Change.oneByte.make(media) }
            return .proceed
        }
        expectChanged(media) {
            _ = try ArchiveImage(account.location, fileSystem: FileSystem(interposer: interposer))
        }
        #expect(hasWritten.withLock { $0 })
    }

    // MARK: Identity

    @Test func `the same account has the same identity, at another place and another time`() throws {
        let (account, media) = try account()
        let identity = try ArchiveImage(account.location).identity
        #expect(identity.count == 32)
        #expect(
            try ArchiveImage(account.location, passphrase: SampleAccountFixture.key()).identity == identity)
        try Change.touched.make(media)
        #expect(try ArchiveImage(account.location).identity == identity)
        try TemporaryFolder.copyTree(account.location.directory, to: account.folder.appending("copy"))
        let copy = AccountLocation(directory: account.folder.appending("copy"))
        #expect(try ArchiveImage(copy).identity == identity)
    }

    @Test(arguments: [Change.oneByte, .oneByteMore, .oneByteLess, .empty, .removed, .renamed])
    func `any change is another identity`(change: Change) throws {
        let (account, media) = try account()
        let identity = try ArchiveImage(account.location).identity
        try change.make(media)
        #expect(try ArchiveImage(account.location).identity != identity)
    }

    @Test func `a new file and one of another database are another identity`() throws {
        let (account, _) = try account()
        var seen = [try ArchiveImage(account.location).identity]
        try account.fileSystem.replace(account.location.filesFolder.appending("new"), with: [])
        seen.append(try ArchiveImage(account.location).identity)
        try account.connection().execute("CREATE TABLE one_more (a)")
        seen.append(try ArchiveImage(account.location).identity)
        #expect(Set(seen).count == 3)
    }

    // MARK: Reads that fail

    /// Fails reads of one file, the n-th from 0; opening it is the first.
    private func failing(_ path: FilePath, at number: Int, _ errno: Errno) -> FileSystem {
        let reads = Mutex(0)
        return FileSystem(
            interposer: ReadInterposer { read, _ in
                guard read == path else { return .proceed }
                return reads.withLock { reads in
                    defer { reads += 1 }
                    return reads == number ? .fail(errno) : .proceed
                }
            })
    }

    @Test(arguments: 0...3)
    func `media that cannot be read are left out and told`(number: Int) throws {
        let (account, media) = try account()
        let whole = try ArchiveImage(account.location)
        let image = try ArchiveImage(
            account.location,
            fileSystem: failing(media, at: number, number == 0 ? .permissionDenied : .ioError))
        #expect(image.entries.count == whole.entries.count - 1)
        guard case .fileError(let file, let reason) = try #require(image.archiveErrors.first) else {
            Issue.record("this is no error of a file")
            return
        }
        #expect(file == "simplex_v1_files/media ü")
        #expect(reason.sentence.hasPrefix("cannot read"))
        #expect(image.archiveErrors.count == 1)
        try account.fileSystem.remove(media)
        let isEqual = try image.bytes() == ArchiveImage(account.location).bytes()
        #expect(isEqual)
    }

    @Test(arguments: AccountDatabase.allCases, 0...3)
    func `a database that cannot be read is the end`(database: AccountDatabase, number: Int) throws {
        let (account, _) = try account()
        let path = account.location.path(of: database)
        let error = #expect(throws: FileError.self) {
            try ArchiveImage(account.location, fileSystem: failing(path, at: number, .ioError))
        }
        #expect(error?.path == path)
    }

    @Test func `a file that can no longer be read is named, and read later`() throws {
        let (account, media) = try account()
        let isBroken = Mutex(false)
        let interposer = ReadInterposer { path, _ in
            path == media && isBroken.withLock { $0 } ? .fail(.ioError) : .proceed
        }
        let image = try ArchiveImage(account.location, fileSystem: FileSystem(interposer: interposer))
        let bytes = try image.bytes()
        // Open or not.
        for image in [
            image, try ArchiveImage(account.location, fileSystem: FileSystem(interposer: interposer)),
        ] {
            isBroken.withLock { $0 = true }
            let error = #expect(throws: AccountArchiveError.self) { _ = try image.bytes() }
            #expect(error?.kind == .other)
            #expect(error?.subject == media.string)
            #expect(error?.cause is FileError)
            isBroken.withLock { $0 = false }
            let isEqual = try image.bytes() == bytes
            #expect(isEqual)
        }
    }

    @Test func `reads that come in pieces change nothing`() throws {
        let (account, _) = try account()
        let interposer = ReadInterposer { _, count in count > 1000 ? .shorten(to: count / 2) : .proceed }
        let image = try ArchiveImage(account.location, fileSystem: FileSystem(interposer: interposer))
        let whole = try ArchiveImage(account.location)
        #expect(image.identity == whole.identity)
        let isEqual = try image.bytes() == whole.bytes()
        #expect(isEqual)
    }
}
