import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// A repository in a folder on disks that fail, and in runs that are killed.
struct FolderStoreFaultTests {
    private let files = FileSystem()
    private let content = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    private static let faults: [FaultPlan.Fault] = [
        .crash, .fail(.noSpace), .tornWrite, .fail(.ioError), .shortWrite,
    ]

    /// A repository with an earlier file and no other folder.
    private func prepared(_ folder: TemporaryFolder) throws -> (FilePath, StoredName) {
        let path = folder.appending("repository")
        try files.makeDirectory(path)
        let earlier = stored(.keys, [1, 2, 3])
        try FolderStore(path).put(earlier, [1, 2, 3])
        return (path, earlier)
    }

    /// Fails each operation of some work in a repository of its own.
    private func sweep(
        _ faults: [FaultPlan.Fault], _ work: (FolderStore) throws -> Void,
        _ check: (FilePath, FaultPlan.Fault, StorageError?) throws -> Void
    ) throws {
        let counting = FaultPlan(.none)
        let folder = try TemporaryFolder(inMemory: true)
        try work(FolderStore(try prepared(folder).0, fileSystem: FileSystem(interposer: counting)))
        #expect(counting.count > 2)
        for position in 1...counting.count {
            for fault in FaultSweep.turn(of: faults, at: position) {
                let folder = try TemporaryFolder(inMemory: true)
                let (path, earlier) = try prepared(folder)
                let plan = FaultPlan(fault, at: position)
                let store = FolderStore(path, fileSystem: FileSystem(interposer: plan))
                let found = storageFailure { try work(store) }
                #expect(plan.wasReached)
                if case .fail(let errno) = fault {
                    #expect(found?.code == (errno == .noSpace ? .noSpace : .failed), "\(position)")
                }
                try check(path, fault, found)
                #expect(try FolderStore(path).get(earlier) == [1, 2, 3])
            }
        }
    }

    // MARK: Storing

    @Test(arguments: [StoredKind.data, .index, nil], [false, true])
    func `failed or killed at any operation, a file is complete or missing, and is stored by the next run`(
        kind: StoredKind?, isBehind: Bool
    ) throws {
        let name = kind.map { stored($0, content) } ?? .config
        let work: (FolderStore) throws -> Void = { store in
            if isBehind {
                try store.putBehind(name, content)?.settle()
            } else {
                try store.put(name, content)
            }
        }
        try sweep(Self.faults, work) { path, fault, found in
            let store = FolderStore(path)
            if case .shortWrite = fault { #expect(found == nil) }
            if case .crash = fault { #expect(found?.code == .failed) }
            if found?.code == .noSpace {
                #expect(found?.remedy == .freeSpace(Int64(content.count), in: path))
                #expect(found?.message.hasSuffix("What was stored before is intact.") == true)
            }
            let isStored = try store.has(name)
            if isStored { #expect(try store.get(name) == content) }
            if found == nil { #expect(isStored) }
            if let kind { #expect(try store.list(kind).count == (isStored ? 1 : 0)) }
            let leftovers = try store.leftovers(now: .max)
            if case .fail = fault { #expect(leftovers.isEmpty) }
            #expect(leftovers.count <= 1)
            try store.put(name, content)
            #expect(try store.get(name) == content)
            #expect(try store.removeLeftovers(now: .max).count == leftovers.count)
            #expect(try store.get(name) == content)
            let left = try TemporaryFolder.contents(of: path).keys.filter { !$0.hasSuffix("/") }
            #expect(left.sorted() == [name.description, stored(.keys, [1, 2, 3]).description].sorted())
        }
    }

    @Test func `a put ends when content and name are durable, in this order`() throws {
        let fixture = try StoredFolder()
        let recorder = OperationRecorder()
        let store = fixture.reopened(recorder)
        let name = stored(.index, content)
        let (path, folder) = (store.path(of: name), fixture.path.appending("index"))
        try store.put(name, content)
        let operations = recorder.operations
        // A killed run may have made the folder.
        try #require(operations.count == 7)
        #expect(operations[0] == .synchronize(fixture.path))
        guard case .create(let temporary) = operations[1] else {
            Issue.record("\(operations[1])")
            return
        }
        #expect(temporary.string.hasPrefix("\(path)-tmp-"))
        #expect(
            Array(operations[2...]) == [
                .write(temporary, count: content.count), .write(temporary, count: 0), .synchronize(temporary),
                .rename(temporary, to: path), .synchronize(folder),
            ])
        // What is there already may have come from a run that was killed before the name was durable.
        try store.put(name, content)
        #expect(Array(recorder.operations[7...]) == [.synchronize(folder)])
    }

    @Test func `what is taken over is flushed and named when it is settled, once`() throws {
        let fixture = try StoredFolder()
        let recorder = OperationRecorder()
        let store = fixture.reopened(recorder)
        let name = stored(.index, content)
        let (path, folder) = (store.path(of: name), fixture.path.appending("index"))
        let file = try #require(try store.putBehind(name, content))
        try #require(recorder.operations.count == 4)
        guard case .create(let temporary) = recorder.operations[1] else {
            Issue.record("\(recorder.operations[1])")
            return
        }
        #expect(try !fixture.store.has(name))
        for _ in 0..<2 { try file.settle() }
        #expect(
            Array(recorder.operations[4...]) == [
                .synchronize(temporary), .rename(temporary, to: path), .synchronize(folder),
            ])
        #expect(try fixture.store.get(name) == content)
        file.abandon()
        #expect(try fixture.store.get(name) == content)
        #expect(try store.putBehind(name, content) == nil)
    }

    @Test func `what is abandoned leaves nothing, and is stored by nobody later`() throws {
        let fixture = try StoredFolder()
        let name = stored(.data, content)
        let file = try #require(try fixture.store.putBehind(name, content))
        #expect(try fixture.store.leftovers(now: .max).count == 1)
        file.abandon()
        #expect(try fixture.store.leftovers(now: .max).isEmpty)
        #expect(throws: FileError.self) { try file.settle() }
        #expect(try !fixture.store.has(name))
        try fixture.store.put(name, content)
        #expect(try fixture.store.get(name) == content)
    }

    @Test func `a disk that failed is heard of by whoever settles, each time, however many come after`()
        throws
    {
        let fixture = try StoredFolder()
        let failing = Mutex<FilePath?>(nil)
        let store = fixture.reopened(
            LesserFileSystem { operation in
                guard case .synchronize(let path) = operation else { return nil }
                return failing.withLock { $0 == path ? .ioError : nil }
            })
        let first = try #require(try store.putBehind(stored(.data, content), content))
        let temporary = try #require(try store.leftovers(now: .max).first?.path)
        failing.withLock { $0 = temporary }
        let others = try (0..<20).map { number in
            let other = Array("\(number)".utf8)
            return (other, try #require(try store.putBehind(stored(.data, other), other)))
        }
        for _ in 0..<2 { #expect(storageFailure { try first.settle() }?.code == .failed) }
        for (other, file) in others {
            try file.settle()
            #expect(try fixture.store.get(stored(.data, other)) == other)
        }
        #expect(try !fixture.store.has(stored(.data, content)))
        #expect(try fixture.store.leftovers(now: .max).isEmpty)
    }

    @Test func `a new folder of packs is durable, even if its first run could not see to that`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, _) = try prepared(folder)
        let name = stored(.data, content)
        let data = path.appending("data")
        // `data` is made, and the repository flushed; the folder is made, and `data` flushed.
        let plan = FaultPlan(.fail(.ioError), at: 4)
        let store = FolderStore(path, fileSystem: FileSystem(interposer: plan))
        #expect(storageFailure { try store.put(name, content) }?.subject == data.string)
        let recorder = OperationRecorder()
        let next = FolderStore(path, fileSystem: FileSystem(interposer: recorder))
        try next.put(name, content)
        #expect(recorder.operations.prefix(2) == [.synchronize(path), .synchronize(data)])
    }

    @Test func `after a power cut a file that was stored is there, and any file is complete`() throws {
        let name = stored(.index, content)
        for position in 1...20 {
            let fixture = try StoredFolder()
            let cut = try PowerCut([fixture.path.appending("index")], at: position)
            let found = storageFailure { try fixture.reopened(cut).put(name, content) }
            try cut.leaveWhatIsDurable()
            let isStored = try fixture.store.has(name)
            if found == nil { #expect(isStored) }
            if isStored { #expect(try fixture.store.get(name) == content) }
            try fixture.store.put(name, content)
            #expect(try fixture.store.get(name) == content)
            guard cut.wasReached else {
                #expect(position > 6)
                return
            }
        }
        Issue.record("more operations than expected")
    }

    @Test func `after a power cut a removed file is gone, except for packs and locks`() throws {
        for kind in StoredKind.allCases {
            let fixture = try StoredFolder()
            let name = stored(kind, content)
            try fixture.store.put(name, content)
            let folder = fixture.store.path(of: name).parentFolder
            let cut = try PowerCut([folder])
            try fixture.reopened(cut).remove(name)
            #expect(try !fixture.store.has(name))
            try cut.leaveWhatIsDurable()
            #expect(try fixture.store.has(name) == [.data, .locks].contains(kind))
        }
    }

    // MARK: Creating and removing

    @Test func `failed or killed at any operation, the next run completes the folders`() throws {
        for position in stride(from: FaultSweep.first(step: 9), to: 266, by: FaultSweep.step(9)) {
            for fault in [FaultPlan.Fault.crash, .fail(.noSpace)] {
                let folder = try TemporaryFolder(inMemory: true)
                let path = folder.appending("repository")
                let plan = FaultPlan(fault, at: position)
                let found = storageFailure {
                    try FolderStore(path, fileSystem: FileSystem(interposer: plan)).create()
                }
                #expect(plan.wasReached && found != nil, "operation \(position)")
                try FolderStore(path).create()
                #expect(try files.list(path).count == 5)
                #expect(try files.list(path.appending("data")).count == 256)
            }
        }
    }

    @Test
    func `failed or killed at any operation, a removed file is there or gone, and the next run removes it`()
        throws
    {
        let name = stored(.snapshots, content)
        try sweep(
            [.crash, .fail(.ioError)],
            { store in
                try FolderStore(store.folder).put(name, content)
                try store.remove(name)
                try store.put(name, content)
                try store.remove(name)
            }
        ) { path, _, found in
            #expect(found != nil)
            let store = FolderStore(path)
            if try store.has(name) { #expect(try store.get(name) == content) }
            try store.remove(name)
            #expect(try !store.has(name) && store.list(.snapshots).isEmpty)
        }
    }

    // MARK: File systems that can do less

    /// Refuses what a disk of another system, or a mounted server, does not know.
    private struct LesserFileSystem: FileInterposer {
        let refuses: @Sendable (FileOperation) -> Errno?

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            refuses(operation).map { .fail($0) } ?? .proceed
        }
    }

    @Test func `no permissions, and no flushing of folders, are no failures`() throws {
        let fixture = try StoredFolder()
        let path = fixture.path
        let store = fixture.reopened(
            LesserFileSystem { operation in
                switch operation {
                case .write(_, count: 0): .notPermitted
                case .synchronize(let flushed) where (try? FileSystem().isDirectory(flushed)) == true:
                    .invalidArgument
                default: nil
                }
            })
        let name = stored(.data, content)
        try store.put(name, content)
        #expect(try FolderStore(path).get(name) == content)
        try store.put(.config, [1])
        try store.remove(.config)
        #expect(try store.leftovers(now: .max).isEmpty)
    }

    @Test func `where no name can be given exclusively, it is given after a look`() throws {
        let fixture = try StoredFolder()
        let isFirst = FaultPlan(.none)
        let store = fixture.reopened(
            LesserFileSystem { operation in
                switch operation {
                // The exclusive rename, which is the first of two; and the link that would do instead.
                case .rename:
                    isFirst.verdict(on: operation) == .proceed && isFirst.count % 2 == 1
                        ? .invalidArgument : nil
                case .create(let path) where !path.string.contains("-tmp-"): .notPermitted
                default: nil
                }
            })
        let name = stored(.index, content)
        try store.put(name, content)
        #expect(isFirst.count == 2)
        #expect(try fixture.store.get(name) == content && store.leftovers(now: .max).isEmpty)
        try store.put(name, content)
        #expect(storageFailure { try store.put(name, [1]) }?.code == .alreadyExists)
    }
}
