import FaultInjection
import SystemPackage
import Testing
import ValiseFailures

@testable import ValiseFiles

struct FileSystemTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `replacing leaves the previous file or the new one, whatever fails`() throws {
        let path = folder.appending("file")
        let old = [UInt8](repeating: 1, count: 3_000_000)
        let new = [UInt8](repeating: 2, count: 2_000_000)
        var reached = true
        var position = 1
        while reached {
            for fault in [FaultPlan.Fault.crash, .fail(.noSpace), .shortWrite] {
                try? fileSystem.removeTree(path)
                try fileSystem.replace(path, with: old)
                let plan = FaultPlan(fault, at: position)
                let result = Result { try FileSystem(interposer: plan).replace(path, with: new) }
                let found = try fileSystem.contents(of: path, limit: 4_000_000)
                #expect(found == old || found == new, "operation \(position), \(fault)")
                if case .success = result { #expect(found == new) }
                reached = plan.wasReached
                // The next run takes over what was left.
                try fileSystem.replace(path, with: new)
                #expect(try fileSystem.list(folder.path).count == 1)
            }
            position += 1
        }
        #expect(position > 5)
    }

    @Test func `makes private files, and refuses what is there`() throws {
        let path = folder.appending("file")
        try fileSystem.create(path).close()
        #expect(try fileSystem.attributes(of: path)?.permissions == .ownerReadWrite)
        #expect { _ = try fileSystem.create(path) } throws: { ($0 as? FileError)?.code == .alreadyExists }
        #expect { try fileSystem.renameExclusively(path, to: path) } throws: {
            ($0 as? FileError)?.code == .alreadyExists
        }
    }

    @Test func `does not follow a link, and does not hang on a pipe`() throws {
        let target = folder.appending("target")
        try fileSystem.replace(target, with: [1])
        let link = folder.appending("link")
        #expect(target.withPlatformString { a in link.withPlatformString { b in symlink(a, b) } } == 0)
        #expect { _ = try fileSystem.openForReading(link) } throws: {
            ($0 as? FileError)?.code == .unsupported
        }
        let pipe = folder.appending("pipe")
        #expect(pipe.withPlatformString { mkfifo($0, 0o600) } == 0)
        #expect { _ = try fileSystem.openForReading(pipe) } throws: {
            ($0 as? FileError)?.code == .unsupported
        }
    }

    @Test func `lists names by their bytes, also those that are not UTF-8`() throws {
        for name in [[UInt8]("b".utf8), [0xff, 0x61], [UInt8]("ä".utf8)] {
            let component = try #require(FilePath.Component(bytes: name))
            try fileSystem.create(folder.path.appending(component)).close()
        }
        let entries = try fileSystem.list(folder.path)
        #expect(entries.map(\.nameBytes) == [[0x62], Array("ä".utf8), [0xff, 0x61]])
        #expect(entries.last?.name == nil)
        try fileSystem.removeTree(folder.path)
        #expect(try !fileSystem.exists(folder.path))
    }

    @Test func `copies large files, and stops when asked`() throws {
        let source = folder.appending("source")
        let bytes = [UInt8](repeating: 7, count: 40_000_000)
        try fileSystem.replace(source, with: bytes)
        try fileSystem.copy(source, to: folder.appending("copy"))
        #expect(try fileSystem.contents(of: folder.appending("copy"), limit: 50_000_000) == bytes)
        #expect(throws: Interruption.self) {
            try fileSystem.copy(source, to: folder.appending("stopped")) { _ in throw Interruption() }
        }
        #expect(try !fileSystem.exists(folder.appending("stopped")))
    }

    @Test func `sets the time, the mode and the owner of an open file`() throws {
        let path = folder.appending("file")
        try fileSystem.replace(path, with: [1])
        let before = try #require(try fileSystem.attributes(of: path))
        #expect((before.owner, before.group) == (geteuid(), getegid()))
        let file = try fileSystem.openForUpdating(path)
        try file.setModificationTime(1_700_000_000, nanoseconds: 123_456_789)
        try file.setPermissions([.ownerRead, .groupRead])
        let isAdministrator = geteuid() == 0
        if isAdministrator {
            try file.setOwner(12_345, group: 54_321)
        } else {
            #expect { try file.setOwner(0, group: 0) } throws: { ($0 as? FileError)?.code == .denied }
        }
        let after = try #require(try fileSystem.attributes(of: path))
        #expect(after.modificationTime == 1_700_000_000)
        #expect(after.modificationNanoseconds == 123_456_789)
        #expect(after.permissions == [.ownerRead, .groupRead])
        if isAdministrator { #expect((after.owner, after.group) == (12_345, 54_321)) }
        try ParallelWriter(file).setModificationTime(5)
        let last = try #require(try fileSystem.attributes(of: path))
        #expect((last.modificationTime, last.modificationNanoseconds) == (5, 0))
    }

    @Test func `folders that another process makes meanwhile are as good as ours`() throws {
        let maker = QuickerProcess { operation in
            if case .makeDirectory(let path) = operation { try FileSystem().makeDirectory(path) }
        }
        let path = folder.appending("a").appending("b").appending("c")
        try FileSystem(interposer: maker).makeDirectories(path)
        #expect(try fileSystem.attributes(of: path)?.kind == .directory)
        let writer = QuickerProcess { operation in
            if case .makeDirectory(let path) = operation { try FileSystem().create(path).close() }
        }
        let other = folder.appending("file").appending("b")
        #expect {
            try FileSystem(interposer: writer).makeDirectories(other)
        } throws: { ($0 as? FileError)?.code == .unsupported }
        #expect(try fileSystem.attributes(of: other.parentFolder)?.kind == .regular)
    }

    @Test func `a missing folder may be created, and one whose place has a file may not`() throws {
        let missing = FileError.noFolder(folder.appending("none"))
        #expect(missing.code == .notFound && missing.remedy == .createFolder(folder.appending("none")))
        let file = folder.appending("file")
        try fileSystem.replace(file, with: [1])
        for path in [file, file.appending("a").appending("b")] {
            let refused = FileError.noFolder(path)
            #expect(refused.code == .unsupported && refused.remedy == nil, "\(refused)")
            #expect(refused.path == file && refused.message == "not a folder", "\(refused)")
        }
    }

    @Test func `locks a folder and a range of bytes`() throws {
        let held = try DirectoryLock(folder.path, .exclusive)
        #expect(held != nil)
        #expect(try DirectoryLock(folder.path, .shared) == nil)
        let path = folder.appending("file")
        try fileSystem.replace(path, with: [1])
        let first = try fileSystem.openForUpdating(path)
        let second = try fileSystem.openForUpdating(path)
        #expect(try first.lockRange(.exclusive, start: 100, length: 10))
        #expect(try !second.lockRange(.shared, start: 105, length: 1))
        #expect(try second.lockRange(.exclusive, start: 200, length: 1))
        withExtendedLifetime(held) {}
    }

    @Test func `a lock is given back though a process that was just started has the same open file`() throws {
        let path = folder.appending("file")
        try fileSystem.replace(path, with: [1])
        // As `fork` makes them.
        var copies: [CInt] = []
        defer { for copy in copies { close(copy) } }
        do {
            let file = try fileSystem.openForUpdating(path)
            #expect(try file.lockRange(.exclusive, start: 0, length: 1))
            let held = try #require(try DirectoryLock(folder.path, .exclusive))
            copies = [dup(file.descriptor.rawValue), dup(held.descriptor.rawValue)]
        }
        #expect(try fileSystem.openForUpdating(path).lockRange(.exclusive, start: 0, length: 1))
        #expect(try DirectoryLock(folder.path, .exclusive) != nil)
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
