import FaultInjection
import StoreContract
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// A store of objects in a folder on disks that fail, and in runs that are killed.
struct FolderObjectStoreFaultTests {
    private let files = FileSystem()
    private let previous = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
    private let content = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    private let bystander: ObjectKey
    private static let faults: [FaultPlan.Fault] = [
        .crash, .fail(.noSpace), .tornWrite, .fail(.ioError), .shortWrite,
    ]

    init() throws { bystander = try ObjectKey("by/stander") }

    /// What a write is bound to, and whether there is an object before.
    enum Writing: CaseIterable, Sendable {
        case making, replacing, makingIfAbsent, replacingIfUnchanged

        var isReplacing: Bool { self == .replacing || self == .replacingIfUnchanged }
    }

    private func prepared(_ folder: TemporaryFolder, _ key: ObjectKey?) throws -> FilePath {
        let store = FolderObjectStore(folder.appending("store"))
        try store.create()
        try store.put(bystander, [1, 2, 3], if: .always)
        if let key { try store.put(key, previous, if: .always) }
        return store.folder
    }

    private func condition(_ writing: Writing, _ key: ObjectKey, _ folder: FilePath) throws -> WriteCondition
    {
        switch writing {
        case .making, .replacing: return .always
        case .makingIfAbsent: return .isAbsent
        case .replacingIfUnchanged:
            return .isUnchanged(try #require(try FolderObjectStore(folder).attributes(of: key)).version)
        }
    }

    private func read(_ key: ObjectKey, _ folder: FilePath) throws -> [UInt8]? {
        let store = FolderObjectStore(folder)
        guard try store.attributes(of: key) != nil else { return nil }
        return try store.get(key, nil, mostBytes: 1 << 20).content
    }

    @Test(arguments: Writing.allCases, ["a", "new/folders/a"])
    func `failed or killed at any operation, an object is the previous one or the new one`(
        writing: Writing, text: String
    ) throws {
        let key = try ObjectKey(text)
        var count = 0
        for position in 1...100 {
            for fault in position == 1 ? Self.faults : FaultSweep.turn(of: Self.faults, at: position) {
                let folder = try TemporaryFolder(inMemory: true)
                let path = try prepared(folder, writing.isReplacing ? key : nil)
                let condition = try condition(writing, key, path)
                let plan = FaultPlan(fault, at: position)
                let store = FolderObjectStore(path, fileSystem: FileSystem(interposer: plan))
                let found = storageFailure { try store.put(key, content, if: condition) }
                guard plan.wasReached else {
                    count = position
                    break
                }
                try check(key, path, fault, found, wasThere: writing.isReplacing)
            }
            if count > 0 { break }
        }
        #expect(count > 4, "a put has operations")
    }

    private func check(
        _ key: ObjectKey, _ path: FilePath, _ fault: FaultPlan.Fault, _ found: StorageError?, wasThere: Bool
    ) throws {
        if case .shortWrite = fault { #expect(found == nil) }
        if case .fail(let errno) = fault {
            #expect(found?.code == (errno == .noSpace ? .noSpace : .failed))
        }
        if found?.code == .noSpace {
            #expect(found?.remedy == .freeSpace(Int64(content.count), in: path))
            #expect(found?.message.hasSuffix("What was stored before is intact.") == true)
        }
        let now = try read(key, path)
        #expect(now == content || now == (wasThere ? previous : nil))
        if found == nil { #expect(now == content) }
        #expect(try read(bystander, path) == [1, 2, 3])
        let left = try files.list(path.appending(FolderObjectStore.workName)).count
        #expect(left <= 1)
        if case .fail = fault { #expect(left == 0) }
        // The next run, a day later.
        let later = FolderObjectStore(path, now: { StorageClock.systemTime() + 90_000 })
        try later.put(key, content, if: .always)
        #expect(try read(key, path) == content)
        #expect(try files.list(path.appending(FolderObjectStore.workName)).isEmpty)
        try later.remove(key)
        #expect(try later.listed("", false).map(\.text) == [bystander.text])
        #expect(try files.list(path).compactMap(\.name) == [FolderObjectStore.workName, "by"])
    }

    @Test
    func
        `failed or killed at any operation, a removed object is there or gone, and is removed by the next run`()
        throws
    {
        let key = try ObjectKey("some/folders/a")
        for position in 1...20 {
            for fault in [FaultPlan.Fault.crash, .fail(.ioError)] {
                let folder = try TemporaryFolder(inMemory: true)
                let path = try prepared(folder, key)
                let plan = FaultPlan(fault, at: position)
                let store = FolderObjectStore(path, fileSystem: FileSystem(interposer: plan))
                let found = storageFailure { try store.remove(key) }
                let now = try read(key, path)
                #expect(now == nil || now == previous)
                if found == nil { #expect(now == nil) }
                try FolderObjectStore(path).remove(key)
                #expect(try FolderObjectStore(path).listed("", false).map(\.text) == [bystander.text])
                guard plan.wasReached else {
                    #expect(position > 3)
                    return
                }
            }
        }
        Issue.record("more operations than expected")
    }

    @Test func `a put ends when content, folders and name are durable, in this order`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = try prepared(folder, nil)
        let recorder = OperationRecorder()
        let store = FolderObjectStore(path, fileSystem: FileSystem(interposer: recorder))
        try store.put(ObjectKey("x/a"), content, if: .isAbsent)
        let operations = recorder.operations
        let (parent, target) = (path.appending("x"), path.appending("x/a"))
        guard case .create(let temporary) = operations.first else {
            Issue.record("\(operations)")
            return
        }
        #expect(temporary.parentFolder == path.appending(FolderObjectStore.workName))
        #expect(
            Array(operations.dropFirst()) == [
                .write(temporary, count: content.count), .synchronize(temporary), .makeDirectory(parent),
                .synchronize(path), .rename(temporary, to: target), .synchronize(parent),
            ])
        // Folders are flushed once.
        try store.put(ObjectKey("x/b"), content, if: .always)
        let flushed = recorder.operations.dropFirst(operations.count).filter { $0 == .synchronize(path) }
        #expect(flushed.isEmpty)
    }

    @Test func `after a power cut an object is the previous one or the new one, and the one that was said`()
        throws
    {
        let key = try ObjectKey("a")
        for writing in Writing.allCases {
            var isOver = false
            for position in 1...20 where !isOver {
                let folder = try TemporaryFolder(inMemory: true)
                let path = try prepared(folder, writing.isReplacing ? key : nil)
                let condition = try condition(writing, key, path)
                let cut = try PowerCut(
                    [path, path.appending(FolderObjectStore.workName)], at: position)
                let store = FolderObjectStore(path, fileSystem: FileSystem(interposer: cut))
                let found = storageFailure { try store.put(key, content, if: condition) }
                try cut.leaveWhatIsDurable()
                let now = try read(key, path)
                #expect(now == content || now == (writing.isReplacing ? previous : nil))
                if found == nil { #expect(now == content) }
                try FolderObjectStore(path).put(key, content, if: .always)
                isOver = !cut.wasReached
            }
            #expect(isOver)
        }
    }

    @Test func `after a power cut a removed object is gone`() throws {
        let key = try ObjectKey("a")
        let folder = try TemporaryFolder(inMemory: true)
        let path = try prepared(folder, key)
        let cut = try PowerCut([path])
        try FolderObjectStore(path, fileSystem: FileSystem(interposer: cut)).remove(key)
        try cut.leaveWhatIsDurable()
        #expect(try read(key, path) == nil)
    }

    // MARK: Others

    @Test func `who makes an object without our lock while we do has made it`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = try prepared(folder, nil)
        let target = path.appending("a")
        let quicker = QuickerProcess { operation in
            guard case .rename(_, to: target) = operation else { return }
            var file = try FileSystem().create(target)
            try file.write([9])
        }
        let store = FolderObjectStore(path, fileSystem: FileSystem(interposer: quicker))
        #expect(storageFailure { try store.put(ObjectKey("a"), [1], if: .isAbsent) }?.kind == .changed)
        #expect(try read(ObjectKey("a"), path) == [9])
        #expect(try files.list(path.appending(FolderObjectStore.workName)).isEmpty)
    }

    @Test
    func `where no name can be given exclusively, and no folder flushed, a look under the lock is enough`()
        throws
    {
        let folder = try TemporaryFolder(inMemory: true)
        let path = try prepared(folder, nil)
        let isFirst = FaultPlan(.none)
        let refusing = RefusingFileSystem { operation in
            switch operation {
            case .rename:
                isFirst.verdict(on: operation) == .proceed && isFirst.count % 2 == 1 ? .invalidArgument : nil
            case .create(let path) where !path.string.contains("-tmp-"): .notPermitted
            case .synchronize(let flushed) where (try? FileSystem().isDirectory(flushed)) == true:
                .invalidArgument
            default: nil
            }
        }
        let store = FolderObjectStore(path, fileSystem: FileSystem(interposer: refusing))
        try store.put(ObjectKey("x/a"), content, if: .isAbsent)
        #expect(isFirst.count == 2)
        #expect(try read(ObjectKey("x/a"), path) == content)
        #expect(storageFailure { try store.put(ObjectKey("x/a"), [1], if: .isAbsent) }?.kind == .changed)
    }

    /// Refuses what a disk of another system, or a mounted server, does not know.
    private struct RefusingFileSystem: FileInterposer {
        let refuses: @Sendable (FileOperation) -> Errno?

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            refuses(operation).map { .fail($0) } ?? .proceed
        }
    }

    @Test func `a file that cannot be read is an error`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let key = try ObjectKey("a")
        let path = try prepared(folder, key)
        let failing = FolderObjectStore(
            path, fileSystem: FileSystem(interposer: ReadInterposer { _, _ in .fail(.ioError) }))
        let error = try #require(storageFailure { _ = try failing.get(key, nil, mostBytes: 1 << 20) })
        #expect(error.code == .failed && error.subject == path.appending("a").string)
    }
}
