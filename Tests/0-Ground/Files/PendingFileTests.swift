import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct PendingFileTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func pending() throws -> PendingFile { try PendingFile(folder.appending("o")) }

    private func contents() throws -> [String: [UInt8]?] { try TemporaryFolder.contents(of: folder.path) }

    private func expectRefused(_ why: String) throws {
        let before = try contents()
        let error = #expect(throws: FileError.self) { _ = try pending() }
        #expect(error?.code == .alreadyExists && error?.path == folder.appending("o.partial"))
        #expect(error?.message.contains(why) == true)
        #expect(error?.remedy == .moveAway(folder.appending("o.partial")))
        #expect(try contents() == before)
    }

    @Test func `the system's failure with the temporary name is told of the file`() throws {
        let failing = FileSystem(
            interposer: QuickerProcess { operation in
                guard case .create = operation else { return }
                throw Errno.ioError
            })
        let error = #expect(throws: FileError.self) {
            _ = try PendingFile(folder.appending("o"), fileSystem: failing)
        }
        #expect(error?.code == .failed && error?.path == folder.appending("o"))
        let other = FileError(cannot: "create", "a", .noSpace).named("b", insteadOf: "c")
        #expect(other.path == "a")
    }

    @Test func `what a killed run left is removed, whatever its mode was`() throws {
        let partial = folder.appending("o.partial")
        try fileSystem.replace(partial, with: [1, 2, 3])
        try fileSystem.setPermissions(FilePermissions(rawValue: 0o666), of: partial)
        let previous = try fileSystem.openForReading(partial)
        do {
            let pending = try self.pending()
            var file = try pending.open()
            #expect(try file.size() == 0)
            try file.write([7])
            try pending.publish(replacing: false)
        }
        #expect(try contents() == ["o": [7]])
        #expect(try fileSystem.attributes(of: folder.appending("o"))?.permissions == .ownerReadWrite)
        // Who has the previous file open does not read the new one.
        #expect(try previous.bytes(at: 0, count: 9) == [1, 2, 3])
    }

    @Test func `what a killed run left is taken over if asked for and nobody else could read it`() throws {
        let partial = folder.appending("o.partial")
        for (mode, isKept) in [(0o600, true), (0o644, false)] as [(CInterop.Mode, Bool)] {
            try fileSystem.replace(partial, with: [1, 2, 3])
            try fileSystem.setPermissions(FilePermissions(rawValue: mode), of: partial)
            let pending = try PendingFile(folder.appending("o"), keepsPrevious: true)
            #expect(pending.hasPrevious == isKept)
            #expect(try pending.open().size() == (isKept ? 3 : 0))
        }
        let fresh = try PendingFile(folder.appending("o"), keepsPrevious: true)
        #expect(try !fresh.hasPrevious && fresh.open().size() == 0)
    }

    @Test func `a file that is left stays under its temporary name, and the lock goes`() throws {
        do {
            let pending = try self.pending()
            var file = try pending.open()
            try file.write([7])
            pending.isLeft = true
        }
        #expect(try contents() == ["o.partial": [7]])
        do {
            let pending = try PendingFile(folder.appending("o"), keepsPrevious: true)
            #expect(pending.hasPrevious)
        }
        #expect(try contents() == [:])
    }

    @Test func `both names of a killed run are not taken over`() throws {
        let final = folder.appending("o")
        try fileSystem.replace(final, with: [1])
        try fileSystem.link(final, as: folder.appending("o.partial"))
        let pending = try PendingFile(final, keepsPrevious: true)
        #expect(try !pending.hasPrevious && pending.open().size() == 0)
        #expect(try fileSystem.contents(of: final, limit: 9) == [1])
    }

    @Test func `a file with other names is not touched`() throws {
        let precious = folder.appending("precious")
        try fileSystem.replace(precious, with: [1])
        try fileSystem.link(precious, as: folder.appending("o.partial"))
        try expectRefused("other hard links")
    }

    @Test func `both names of a killed run are not others`() throws {
        let final = folder.appending("o")
        try fileSystem.replace(final, with: [1])
        try fileSystem.link(final, as: folder.appending("o.partial"))
        #expect { try pending().publish(replacing: false) } throws: {
            ($0 as? FileError)?.code == .alreadyExists
        }
        #expect(try contents() == ["o": [1]])
        try fileSystem.link(final, as: folder.appending("o.partial"))
        try fileSystem.link(final, as: folder.appending("third"))
        try expectRefused("other hard links")
    }

    @Test func `what is no regular file is not touched`() throws {
        let partial = folder.appending("o.partial")
        try fileSystem.makeDirectory(partial)
        try expectRefused("regular file")
        try fileSystem.removeDirectory(partial)
        try fileSystem.replace(folder.appending("precious"), with: [1])
        for target in ["precious", "nowhere"] {
            #expect(partial.withPlatformString { symlink(target, $0) } == 0)
            try expectRefused("regular file")
            try fileSystem.remove(partial)
        }
        #expect(partial.withPlatformString { mkfifo($0, 0o600) } == 0)
        let error = #expect(throws: FileError.self) { _ = try pending() }
        #expect(error?.code == .alreadyExists && error?.remedy == .moveAway(partial))
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a file of another user is not touched`() throws {
        let partial = folder.appending("o.partial")
        try fileSystem.replace(partial, with: [1])
        #expect(partial.withPlatformString { chown($0, 12345, 12345) } == 0)
        try expectRefused("another user")
    }

    @Test func `nothing but a file is replaced, and that is said before anything is written`() throws {
        let place = folder.appending("o")
        try fileSystem.replace(folder.appending("precious"), with: [1])
        let makers: [(String, () throws -> Void)] = [
            ("a folder", { try fileSystem.makeDirectory(place) }),
            ("a symbolic link", { try #require(symlink("precious", place.string) == 0) }),
            ("a symbolic link", { try #require(symlink("nowhere", place.string) == 0) }),
            ("a device, pipe", { try #require(mkfifo(place.string, 0o600) == 0) }),
        ]
        for (thing, make) in makers {
            try make()
            let kind = try fileSystem.attributes(of: place)?.kind
            let error = #expect(throws: FileError.self) { _ = try pending() }
            #expect(error?.code == .unsupported && error?.path == place)
            #expect(error?.message.hasPrefix(thing) == true)
            #expect(try fileSystem.attributes(of: place)?.kind == kind)
            #expect(try !fileSystem.exists(folder.appending("o.partial")))
            try fileSystem.removeTree(place)
            // And so where it came while the file was written.
            let written = try pending()
            try make()
            #expect { try written.publish(replacing: true) } throws: {
                ($0 as? FileError)?.code == .unsupported
            }
            #expect(try fileSystem.attributes(of: place)?.kind == kind)
            try fileSystem.removeTree(place)
        }
        #expect(try fileSystem.contents(of: folder.appending("precious"), limit: 9) == [1])
    }

    @Test func `of two runs one is refused, and the file is the first one's`() throws {
        let first = try pending()
        #expect { _ = try pending() } throws: { ($0 as? FileError)?.code == .inUse }
        try first.publish(replacing: false)
        #expect(try contents() == ["o": []])
    }
}
