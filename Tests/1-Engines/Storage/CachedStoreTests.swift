import FaultInjection
import Foundation
import StoreContract
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

struct CachedStoreTests {
    private let folder: TemporaryFolder
    private let files = FileSystem()
    private let memory = MemoryStore()
    private let repository: ContentID
    private let content = [UInt8](repeating: 7, count: 2000)

    /// What went wrong with the cache.
    private final class Observed: Sendable {
        private let errors = Mutex<[any Error]>([])

        var codes: [FailureCode?] { errors.withLock { $0.map { ($0 as? any Failure)?.code } } }

        func add(_ error: any Error) { errors.withLock { $0.append(error) } }
    }

    private let observed = Observed()

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        repository = try digest([0])
    }

    private var place: FilePath { folder.appending("user").appending("cache") }

    private func cached(
        _ store: (any BlobStore)? = nil, _ repository: ContentID? = nil,
        _ interposer: (any FileInterposer)? = nil
    ) throws -> CachedStore {
        try CachedStore(
            store ?? memory, in: place, repository: repository ?? self.repository,
            fileSystem: FileSystem(interposer: interposer), clock: StoppedClock().clock,
            observer: { [observed] in observed.add($0) })
    }

    /// Where a copy is.
    private func path(_ kind: StoredKind, _ content: [UInt8]) throws -> FilePath {
        place.appending(repository.text).appending(kind.rawValue).appending(try digest(content).text)
    }

    @Test(arguments: [StoredKind.index, .snapshots, .keys])
    func `what was read once is not fetched again, by the next run either`(kind: StoredKind) throws {
        let name = stored(kind, content)
        try memory.put(name, content)
        let line = FaultyStore(memory, .none)
        for _ in 0..<3 {
            let store = try cached(line)
            #expect(try store.get(name) == content)
            #expect(try store.get(name, 100..<200) == content[100..<200].map { $0 })
        }
        #expect(line.count == 1)
        #expect(try files.attributes(of: path(kind, content))?.permissions == .ownerReadWrite)
        #expect(observed.codes.isEmpty)
    }

    @Test func `what was stored is not fetched`() throws {
        let line = FaultyStore(memory, .none)
        let store = try cached(line)
        let name = stored(.index, content)
        try store.put(name, content)
        #expect(try store.get(name) == content && line.count == 1)
        // What is there, the store says.
        try memory.remove(name)
        #expect(try !store.has(name) && store.list(.index).isEmpty)
        #expect(storageFailure { _ = try store.get(name) }?.code == .notFound)
    }

    @Test func `packs, locks and the configuration are never kept`() throws {
        let store = try cached()
        try store.put(.config, content)
        for kind in [StoredKind.data, .locks] { try store.put(stored(kind, content), content) }
        _ = try store.get(.config)
        for kind in [StoredKind.data, .locks] {
            _ = try store.get(stored(kind, content))
            _ = try store.get(stored(kind, content), 0..<10)
            _ = try store.list(kind)
        }
        #expect(try TemporaryFolder.contents(of: place).isEmpty)
    }

    @Test func `a part of what is not kept is fetched as a part, and a part that is too long is damage`()
        throws
    {
        let name = stored(.index, content)
        try memory.put(name, content)
        let store = try cached()
        #expect(try store.get(name, 5..<7) == [7, 7])
        #expect(try !files.exists(path(.index, content)))
        #expect(storageFailure { _ = try store.get(name, 5..<2001) }?.code == .damaged)
        _ = try store.get(name)
        #expect(storageFailure { _ = try store.get(name, 5..<2001) }?.code == .damaged)
        #expect(try store.get(name, 2000..<2000) == [])
    }

    // MARK: Damage

    @Test func `a damaged copy is dropped, reported and fetched again`() throws {
        let name = stored(.snapshots, content)
        let store = try cached()
        try store.put(name, content)
        let path = try path(.snapshots, content)
        for damaged in [[], Array(content.dropLast()), [8] + content.dropFirst(), content + [7]] {
            try files.replace(path, with: damaged)
            #expect(try store.get(name) == content)
            #expect(try files.contents(of: path, limit: 5000) == content)
        }
        #expect(observed.codes == [.damaged, .damaged, .damaged, .damaged])
    }

    @Test func `links and folders in place of copies are replaced, and nobody follows them`() throws {
        let name = stored(.snapshots, content)
        let store = try cached()
        try store.put(name, content)
        let path = try path(.snapshots, content)
        let target = folder.appending("target")
        try files.replace(target, with: content)
        try files.remove(path)
        #expect(symlink(target.string, path.string) == 0)
        #expect(try store.get(name) == content)
        #expect(try files.attributes(of: path)?.kind == .regular)
        try files.remove(path)
        try files.makeDirectory(path)
        #expect(try store.get(name) == content)
        #expect(try files.attributes(of: path)?.kind == .regular)
        #expect(try files.contents(of: target, limit: 5000) == content)
        #expect(observed.codes == [.damaged, .damaged])
    }

    @Test func `what is damaged at the store is handed on, and not kept`() throws {
        let name = stored(.index, content)
        let store = try cached(MemoryStore([name: [1, 2, 3]]))
        #expect(try store.get(name) == [1, 2, 3])
        #expect(try !files.exists(path(.index, content)))
    }

    @Test func `a short answer is not kept`() throws {
        let name = stored(.index, content)
        try memory.put(name, content)
        let store = try cached(FaultyStore(memory, .cutAnswer, at: 1))
        #expect(try store.get(name).count == 1000)
        #expect(try store.get(name) == content)
    }

    // MARK: Keeping it small

    @Test func `a list removes copies of what is gone, and those of its folder only`() throws {
        let store = try cached()
        let others = (0..<3).map { [UInt8]([UInt8($0)]) }
        for kind in [StoredKind.index, .snapshots] {
            for other in others { try store.put(stored(kind, other), other) }
        }
        for other in others.dropFirst() {
            for kind in [StoredKind.index, .snapshots] { try memory.remove(stored(kind, other)) }
        }
        #expect(try store.list(.index).count == 1)
        #expect(try files.exists(path(.index, others[0])) && !files.exists(path(.index, others[1])))
        #expect(try files.exists(path(.snapshots, others[1])))
        try store.remove(stored(.snapshots, others[0]))
        #expect(try !files.exists(path(.snapshots, others[0])))
        #expect(observed.codes.isEmpty)
    }

    @Test func `a list that breaks off removes nothing`() throws {
        let store = try cached()
        for number in UInt8(0)..<4 { try store.put(stored(.index, [number]), [number]) }
        let broken = try cached(FaultyStore(memory, .cutAnswer, at: 1))
        #expect(storageFailure { _ = try broken.list(.index) }?.kind == .answer)
        #expect(throws: Interruption.self) { try store.list(.index) { _, _ in throw Interruption() } }
        #expect(try files.list(path(.index, [0]).parentFolder).count == 4)
    }

    @Test func `old temporary files go, and foreign ones stay`() throws {
        let store = try cached()
        try store.put(stored(.index, content), content)
        let folder = try path(.index, content).parentFolder
        let hash = try digest(content).text
        let now = StoppedClock().clock.calendarTime()
        for (name, age) in [("\(hash)-tmp-1", 90_000), ("\(hash)-tmp-2", 80_000), ("foreign", 90_000)] {
            try files.create(folder.appending(name)).setModificationTime(now - Int64(age))
        }
        _ = try store.list(.index)
        #expect(try files.list(folder).compactMap(\.name) == [hash, "\(hash)-tmp-2", "foreign"])
    }

    // MARK: The folder

    @Test func `the folders are made for this user alone, and those of repositories are apart`() throws {
        let store = try cached()
        try store.put(stored(.index, content), content)
        let kinds = place.appending(repository.text)
        for path in [place, kinds, kinds.appending("index")] {
            #expect(try files.attributes(of: path)?.permissions == .ownerReadWriteExecute)
        }
        let empty = MemoryStore()
        let other = try cached(empty, try digest([1]))
        #expect(storageFailure { _ = try other.get(stored(.index, content)) }?.code == .notFound)
        #expect(try other.list(.index).isEmpty)
        #expect(try files.exists(path(.index, content)))
    }

    @Test func `a folder that others may enter is refused`() throws {
        _ = try cached()
        try files.setPermissions([.ownerReadWriteExecute, .groupExecute], of: place)
        let found = storageFailure { _ = try cached() }
        #expect(found?.code == .denied && found?.remedy == .makePrivate(place, isFolder: true))
        try files.setPermissions(.ownerReadWriteExecute, of: place)
        _ = try cached()
    }

    @Test(arguments: [Errno.noSpace, .ioError])
    func `a cache that cannot be written costs time only, and is reported once`(errno: Errno) throws {
        let contents = (0..<3).map { [UInt8]([UInt8($0)]) }
        for content in contents { try memory.put(stored(.index, content), content) }
        // The folders of the cache take the first operations.
        for position in 1...12 {
            let plan = FaultPlan(.fail(errno), at: position)
            let place = folder.appending("cache \(position)")
            let own = Observed()
            guard
                let store = try? CachedStore(
                    memory, in: place, repository: repository, fileSystem: FileSystem(interposer: plan),
                    observer: { own.add($0) })
            else { continue }
            for _ in 0..<2 {
                for content in contents { #expect(try store.get(stored(.index, content)) == content) }
            }
            #expect(own.codes.count <= 1)
            #expect(plan.wasReached == !own.codes.isEmpty)
            let left = try TemporaryFolder.contents(of: place).keys.filter { $0.contains("-tmp-") }
            #expect(left.isEmpty, "operation \(position)")
        }
    }

    @Test func `killed at any operation, a copy is intact or none`() throws {
        try memory.put(stored(.keys, content), content)
        for position in 1...12 {
            for fault in [FaultPlan.Fault.crash, .tornWrite] {
                let place = folder.appending("cache \(position) \(UInt32.random(in: 0 ... .max))")
                func store(_ interposer: (any FileInterposer)?) throws -> CachedStore {
                    try CachedStore(
                        memory, in: place, repository: repository,
                        fileSystem: FileSystem(interposer: interposer))
                }
                if let killed = try? store(FaultPlan(fault, at: position)) {
                    #expect(try killed.get(stored(.keys, content)) == content)
                }
                let next = try store(nil)
                for _ in 0..<2 { #expect(try next.get(stored(.keys, content)) == content) }
            }
        }
    }
}
