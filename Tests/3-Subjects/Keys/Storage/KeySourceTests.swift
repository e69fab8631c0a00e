import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseFailures
import ValiseFiles
import ValiseKeys
import ValiseSecrets

struct KeySourceTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ bytes: [UInt8], mode: FilePermissions = .ownerReadWrite) throws -> FilePath {
        let path = folder.appending("key")
        try fileSystem.replace(path, with: bytes)
        try fileSystem.setPermissions(mode, of: path)
        return path
    }

    @Test(arguments: [
        (Array("word".utf8), Array("word".utf8)), (Array("word\n".utf8), Array("word".utf8)),
        (Array("word\r\n".utf8), Array("word".utf8)), (Array("word\n\n".utf8), Array("word\n".utf8)),
        ([], []), (Array("\n".utf8), []), ([0xFF, 0, 0xC3, 0x0A], [0xFF, 0, 0xC3]),
    ])
    func `a file gives its bytes without the line break at its end`(written: [UInt8], read: [UInt8]) throws {
        #expect(bytes(try FileKeySource(try file(written)).read()) == read)
    }

    @Test func `a file that others may read is refused, whatever they may do with it`() throws {
        for mode: CInterop.Mode in [0o640, 0o604, 0o644, 0o620, 0o602, 0o610, 0o601, 0o666, 0o777] {
            let path = try file([1, 2, 3], mode: FilePermissions(rawValue: mode))
            let error = try #require(throws: KeyStorageError.self) { _ = try FileKeySource(path).read() }
            #expect(error.code == .denied && error.kind == .source && !error.isStoreFailure)
            #expect(error.message.contains("0" + String(mode, radix: 8)))
        }
        for mode: CInterop.Mode in [0o400, 0o600, 0o700] {
            let path = try file([1, 2, 3], mode: FilePermissions(rawValue: mode))
            #expect(bytes(try FileKeySource(path).read()) == [1, 2, 3])
        }
    }

    @Test func `a descriptor that is not open is called that`() throws {
        let source = DescriptorKeySource(FileDescriptor(rawValue: 999), name: "file descriptor 999")
        let error = try #require(throws: KeyStorageError.self) { _ = try source.read() }
        #expect(error.description == "file descriptor 999 is not open")
    }

    @Test func `a missing file, a folder and a file that is too long are told`() throws {
        let missing = try #require(throws: KeyStorageError.self) {
            _ = try FileKeySource(folder.appending("no")).read()
        }
        #expect(missing.code == .notFound)
        #expect(throws: KeyStorageError.self) { _ = try FileKeySource(folder.path).read() }
        let most = [UInt8](repeating: 7, count: 64 << 10)
        #expect(bytes(try FileKeySource(try file(most + [0x0A])).read()) == most)
        let error = try #require(throws: KeyStorageError.self) {
            _ = try FileKeySource(try file(most + [7])).read()
        }
        #expect(error.code == .invalid)
        // An endless one is not read to its end.
        #expect(throws: KeyStorageError.self) { _ = try FileKeySource("/dev/zero").read() }
    }

    @Test(.enabled(if: OtherProgram.areAllowed))
    func `a command gives what it prints, and fails when it fails`() throws {
        #expect(bytes(try CommandKeySource("printf 'a b\\n'").read()) == Array("a b".utf8))
        let error = try #require(throws: KeyStorageError.self) {
            _ = try CommandKeySource("echo x; exit 3").read()
        }
        #expect(!error.message.contains("x;"))
    }

    @Test(.enabled(if: OtherProgram.areAllowed))
    func `a command may read from what the caller left open for it, and has nothing of ours`() throws {
        let folder = try TemporaryFolder()
        let path = folder.appending("left")
        try FileSystem().replace(path, with: Array("a b\n".utf8))
        let left = try FileDescriptor.open(path, .readOnly)
        let ours = try FileSystem().openForReading(path)
        #expect(bytes(try CommandKeySource("cat /proc/self/fd/\(left.rawValue)").read()) == Array("a b".utf8))
        try left.close()
        let paths = try #require(bytes(try CommandKeySource("ls -l /proc/self/fd").read()))
        #expect(!String(decoding: paths, as: UTF8.self).contains(path.string))
        try ours.close()
    }

    @Test(.enabled(if: OtherProgram.areAllowed))
    func `a source that keeps us waiting can be stopped`() throws {
        var calls = 0
        #expect(throws: Interruption.self) {
            _ = try CommandKeySource("sleep 5") {
                calls += 1
                if calls == 3 { throw Interruption() }
            }.read()
        }
        #expect(calls == 3)
    }
}
