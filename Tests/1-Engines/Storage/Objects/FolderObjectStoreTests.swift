import FaultInjection
import Foundation
import StoreContract
import Synchronization
import SystemPackage
import TestPeers
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// What a store of objects is on disk, and what else may be there.
struct FolderObjectStoreTests {
    private let folder: TemporaryFolder
    private let store: FolderObjectStore
    private let files = FileSystem()

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        store = FolderObjectStore(folder.appending("store"))
        try store.create()
    }

    private func put(_ text: String, _ content: [UInt8] = [1]) throws {
        try store.put(ObjectKey(text), content, if: .always)
    }

    private func write(_ name: String, _ content: [UInt8] = [1], in parent: FilePath? = nil) throws {
        let path = (parent ?? store.folder).appending(name)
        try files.makeDirectories(path.parentFolder)
        var file = try files.create(path)
        try file.write(content)
        try file.close()
    }

    private var paths: [String] {
        get throws { try TemporaryFolder.contents(of: store.folder).keys.sorted() }
    }

    // MARK: Layout

    @Test func `an object is the file at its key's path, for its user alone`() throws {
        try put("tcfs/chunks/ab", [1, 2, 3])
        let work = "\(FolderObjectStore.workName)/"
        #expect(try paths == [work, "tcfs/", "tcfs/chunks/", "tcfs/chunks/ab"])
        let path = store.folder.appending("tcfs/chunks/ab")
        #expect(try files.attributes(of: path)?.permissions == .ownerReadWrite)
        #expect(try files.contents(of: path, limit: 9) == [1, 2, 3])
        try store.remove(ObjectKey("tcfs/chunks/ab"))
        #expect(try paths == [work])
    }

    @Test func `files that others have put there are objects`() throws {
        try write("tcfs/index/a.txt", [1, 2])
        let key = try ObjectKey("tcfs/index/a.txt")
        let version = try #require(try store.attributes(of: key)?.version)
        #expect(try store.listed("", false).map(\.text) == [key.text])
        try store.put(key, [3], if: .isUnchanged(version))
        #expect(try store.get(key, nil, mostBytes: 1).content == [3])
        // Reading alone makes nothing.
        let other = FolderObjectStore(folder.appending("other"))
        try other.create()
        #expect(try other.listed("", false).isEmpty && other.attributes(of: key) == nil)
        #expect(try files.list(other.folder).isEmpty)
    }

    @Test func `without its folder a disk is missing, and nothing is empty or made`() throws {
        let store = FolderObjectStore(folder.appending("unmounted/store"))
        let key = try ObjectKey("a/b")
        #expect(storageFailure { try store.put(key, [1], if: .always) }?.code == .notFound)
        #expect(storageFailure { _ = try store.attributes(of: key) }?.code == .notFound)
        #expect(storageFailure { _ = try store.get(key, nil, mostBytes: 1) }?.subject == store.folder.string)
        #expect(storageFailure { _ = try store.listed("", false) }?.code == .notFound)
        #expect(storageFailure { try store.remove(key) }?.code == .notFound)
        #expect(storageFailure { _ = try store.hasConditionalWrites() }?.code == .notFound)
        #expect(try !files.exists(store.folder))
    }

    // MARK: Versions

    @Test func `a version is new with each write, also of the same content in the same moment`() throws {
        let key = try ObjectKey("a")
        let versions = try (0..<200).map { _ in try store.put(key, [1], if: .always) }
        #expect(Set(versions).count == 200)
        #expect(try store.attributes(of: key)?.version == versions.last)
    }

    @Test func `what another program writes into a file is another version`() throws {
        let key = try ObjectKey("a")
        let version = try store.put(key, [1, 2, 3], if: .always)
        var file = try files.openForUpdating(store.folder.appending("a"))
        try file.write([4, 5, 6])
        #expect(storageFailure { try store.put(key, [7], if: .isUnchanged(version)) }?.kind == .changed)
        #expect(try store.get(key, nil, mostBytes: 3).content == [4, 5, 6])
    }

    // MARK: Names

    @Test func `an object and a folder of one name are refused, and stay what they are`() throws {
        try put("a")
        try put("b/c/d")
        let below = try #require(storageFailure { try put("a/x/y") })
        #expect(below.code == .unsupported && below.subject == store.folder.appending("a").string)
        let above = try #require(storageFailure { try put("b/c") })
        #expect(above.code == .unsupported && above.message.contains("objects below this name"))
        for text in ["a/x/y", "b/c", "b"] {
            let key = try ObjectKey(text)
            #expect(try store.attributes(of: key) == nil)
            #expect(storageFailure { _ = try store.get(key, nil, mostBytes: 1) }?.code == .notFound)
            try store.remove(key)
        }
        #expect(try store.listed("", false).map(\.text) == ["a", "b/c/d"])
        #expect(try files.list(store.folder.appending(FolderObjectStore.workName)).isEmpty)
    }

    @Test func `empty folders are nothing, and give way`() throws {
        for name in ["a/b/c", "a/d", "e"] { try files.makeDirectories(store.folder.appending(name)) }
        #expect(try store.listed("", true).isEmpty && store.listed("a/", true).isEmpty)
        try put("a")
        try put("e/f/g")
        #expect(try store.listed("", true).map(\.text) == ["a", "e/"])
        try store.remove(ObjectKey("e/f/g"))
        #expect(try !files.exists(store.folder.appending("e")))
    }

    @Test func `the folder for what is being written is reserved, and not listed`() throws {
        let name = FolderObjectStore.workName
        for text in [name, "\(name)/a", "\(name)/a/b"] {
            #expect(storageFailure { try put(text) }?.code == .invalid, "\(text)")
        }
        try put("\(name)s")
        try put("a/\(name)/b")
        try write("\(name)/foreign")
        let key = try ObjectKey("\(name)/foreign")
        #expect(try store.attributes(of: key) == nil)
        try store.remove(key)
        #expect(try files.exists(store.folder.appending("\(name)/foreign")))
        #expect(try store.listed("", false).map(\.text) == ["\(name)s", "a/\(name)/b"])
        #expect(try store.listed("\(name)/", false).isEmpty)
    }

    @Test func `a name that is too long for a file is refused`() throws {
        let text = String(repeating: "n", count: 300)
        #expect(storageFailure { try put(text) }?.code == .unsupported)
        #expect(storageFailure { try put("\(text)/a") }?.code == .unsupported)
    }

    // MARK: What is no file

    @Test func `links are not followed, wherever they lead`() throws {
        try files.makeDirectory(folder.appending("outside"))
        try write("secret", [9], in: folder.appending("outside"))
        try put("inside/a")
        for (name, target) in [
            ("file", "../outside/secret"), ("folder", "../outside"), ("within", "inside"),
            ("broken", "nowhere"),
        ] {
            #expect(symlink(target, store.folder.appending(name).string) == 0)
        }
        for text in ["file", "folder", "folder/secret", "folder/new", "within/a", "broken"] {
            let key = try ObjectKey(text)
            #expect(
                storageFailure { _ = try store.get(key, nil, mostBytes: 9) }?.code == .unsupported, "\(text)")
            #expect(storageFailure { _ = try store.attributes(of: key) }?.code == .unsupported, "\(text)")
            for condition in [WriteCondition.always, .isAbsent] {
                #expect(
                    storageFailure { try store.put(key, [1], if: condition) }?.code == .unsupported, "\(text)"
                )
            }
            #expect(storageFailure { try store.remove(key) }?.code == .unsupported, "\(text)")
        }
        #expect(try store.listed("", false).map(\.text) == ["inside/a"])
        #expect(try store.listed("", true).map(\.text) == ["inside/"])
        #expect(storageFailure { _ = try store.listed("folder/", false) }?.code == .unsupported)
        #expect(try TemporaryFolder.contents(of: folder.appending("outside")) == ["secret": [9]])
    }

    @Test func `pipes, and names that are no keys, are left out of lists`() throws {
        try put("a")
        #expect(mkfifo(store.folder.appending("pipe").string, 0o600) == 0)
        #expect(
            storageFailure { _ = try store.get(ObjectKey("pipe"), nil, mostBytes: 9) }?.code == .unsupported)
        try write("control\u{1}")
        try write("control\u{1}folder/b")
        let component = try #require(FilePath.Component(bytes: [0xff, 0xfe]))
        _ = try files.create(store.folder.appending(component))
        #expect(try store.listed("", false).map(\.text) == ["a"])
        #expect(try store.listed("", true).map(\.text) == ["a"])
    }

    @Test func `a store behind a link is a store`() throws {
        #expect(symlink(store.folder.string, folder.appending("link").string) == 0)
        let linked = FolderObjectStore(folder.appending("link"))
        try linked.put(ObjectKey("a/b"), [1], if: .isAbsent)
        #expect(try store.listed("", false).map(\.text) == ["a/b"])
    }

    @Test func `a tree that is deeper than any key ends there`() throws {
        var path = store.folder
        for _ in 0..<600 {
            path.append("d")
            try files.makeDirectory(path)
        }
        try write("end", in: path)
        #expect(try store.listed("", false).isEmpty && store.listed("", true).isEmpty)
    }

    // MARK: Several processes

    @Test func `temporary files that nobody writes any more are removed by the first write`() throws {
        try put("a")
        let work = store.folder.appending(FolderObjectStore.workName)
        for name in ["object-tmp-1", "object-tmp-2", "other-tmp-1", "object"] { try write(name, in: work) }
        let hour: Int64 = 3600
        let now = StorageClock.systemTime()
        try FolderObjectStore(store.folder, now: { now + 23 * hour }).put(ObjectKey("b"), [1], if: .always)
        #expect(try files.list(work).count == 4)
        let late = FolderObjectStore(store.folder, now: { now + 25 * hour })
        try late.put(ObjectKey("b"), [1], if: .always)
        #expect(try files.list(work).compactMap(\.name) == ["object", "other-tmp-1"])
        try write("object-tmp-3", in: work)
        #expect(try late.removeLeftovers() == 1)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `a writer waits for another process that has the lock`() throws {
        let python = try #require(OtherProgram("python3"))
        try put("a", [0])
        let work = store.folder.appending(FolderObjectStore.workName)
        let script = """
            import fcntl, os, sys, time
            descriptor = os.open(sys.argv[1], os.O_RDONLY)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            print("locked", flush=True)
            time.sleep(0.5)
            with open(sys.argv[2], "wb") as file:
                file.write(b"theirs")
            """
        let process = Process()
        let output = Pipe.uninherited()
        process.executableURL = URL(filePath: python.path)
        process.arguments = ["-c", script, work.string, store.folder.appending("a").string]
        process.standardOutput = output
        let key = try ObjectKey("a")
        let version = try #require(try store.attributes(of: key)?.version)
        try process.start()
        #expect(try output.fileHandleForReading.read(upToCount: 6) == Data("locked".utf8))
        // What they write while they have the lock is seen.
        #expect(storageFailure { try store.put(key, [1], if: .isUnchanged(version)) }?.kind == .changed)
        process.waitUntilExit()
        #expect(try store.get(key, nil, mostBytes: 9).content == Array("theirs".utf8))
    }

    @Test func `conditions hold where locks exclude others, which is tried`() throws {
        #expect(try store.hasConditionalWrites())
        #expect(try paths == ["\(FolderObjectStore.workName)/"])
    }
}
