import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

@testable import ValiseMounting

/// Trees of stores whose files are fetched.
struct StoreTreeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("valise-store", inMemory: true) }

    private func tree(_ store: MadeStore, capacity: Int64 = 64 << 20) throws -> (StoreTree, BlockCache) {
        let cache = try BlockCache(in: folder.appending("cache"), capacity: capacity)
        return (StoreTree(store, cache: cache), cache)
    }

    @Test func `it shows what the store has, page by page`() throws {
        let store = MadeStore()
        for number in 0..<250 { store.put("many/f\(String(1000 + number))", [UInt8(number)]) }
        store.put("a", [1, 2, 3])
        store.put("e\u{301}", [4])
        let (tree, cache) = try tree(store)
        let found = try TreeContents.of(try #require(tree.root.folder))
        #expect(found.count == 253 && found["a"] == [1, 2, 3] && found["many/f1249"] == [249])
        #expect(!tree.isConstant && tree.name == "made store")
        #expect(try tree.item(at: [[0xff]]) == nil)
        cache.close()
    }

    @Test func `names that would lead elsewhere are not shown`() throws {
        let store = MadeStore()
        store.extra = ["..", ".", "", "a/b", "a\0b", "good"].map { FetchedEntry($0, .link(target: "x")) }
        let (tree, _) = try tree(store)
        var listing = try #require(tree.root.folder).listing()
        var names: [String] = []
        while let entry = try listing.next() { names.append(String(decoding: entry.name, as: UTF8.self)) }
        #expect(names == ["good"])
    }

    @Test func `any part of a file is what it is as a whole, and is fetched once`() throws {
        var generator = SeededGenerator(seed: 7)
        let content = (0..<5_300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let store = MadeStore()
        store.put("f", content)
        let (tree, cache) = try tree(store)
        let file = try TreeContents.file(tree, "f")
        try RandomReads.check(file, content)
        #expect(store.fetched.load(ordering: .relaxed) <= content.count)
        let before = store.fetched.load(ordering: .relaxed)
        try RandomReads.check(try TreeContents.file(tree, "f"), content)
        #expect(store.fetched.load(ordering: .relaxed) == before)
        #expect(cache.size > 5_300_000)
    }

    @Test func `who reads on gets several blocks with one request`() throws {
        let content = [UInt8](repeating: 5, count: 20 << 20)
        let store = MadeStore()
        store.put("f", content)
        let (tree, _) = try tree(store)
        let file = try TreeContents.file(tree, "f")
        for offset in stride(from: 0, to: content.count, by: 128 << 10) {
            #expect(try file.bytes(at: Int64(offset), upTo: 128 << 10).count == 128 << 10)
        }
        let requests = store.requests.load(ordering: .relaxed)
        #expect(requests <= 8, "\(requests)")
    }

    @Test func `an open file keeps its content, and another one has the new one`() throws {
        let store = MadeStore()
        store.put("f", [1, 1, 1])
        let (tree, _) = try tree(store)
        let file = try TreeContents.file(tree, "f")
        #expect(try file.bytes(at: 0, upTo: 10) == [1, 1, 1])
        store.put("f", [2, 2])
        #expect(try file.bytes(at: 0, upTo: 10) == [1, 1, 1])
        #expect(try TreeContents.file(tree, "f").bytes(at: 0, upTo: 10) == [2, 2])
    }

    @Test func `a store that has less than it said is damaged`() throws {
        let store = MadeStore()
        store.put("f", [1, 1, 1])
        store.isShort.store(true, ordering: .relaxed)
        let (tree, _) = try tree(store)
        let file = try TreeContents.file(tree, "f")
        #expect {
            _ = try file.bytes(at: 0, upTo: 3)
        } throws: {
            ($0 as? MountError)?.code == .damaged
        }
    }
}

/// A store in memory.
final class MadeStore: FetchedStore, @unchecked Sendable {
    // Unchecked: `extra` is set before anybody else has it.
    var extra: [FetchedEntry] = []
    private let files = Mutex<[String: (content: [UInt8], version: UInt8)]>([:])
    let fetched = Atomic(0)
    let requests = Atomic(0)
    let isShort = Atomic(false)

    var name: String { "made store" }

    func put(_ path: String, _ content: [UInt8]) {
        files.withLock { $0[path] = (content, ($0[path]?.version ?? 0) + 1) }
    }

    private func entries(of folder: [String]) -> [FetchedEntry] {
        let prefix = folder.map { $0 + "/" }.joined()
        let files = files.withLock { $0 }.filter { $0.key.hasPrefix(prefix) }
        var found: [String: FetchedEntry] = [:]
        for (path, file) in files {
            let rest = path.dropFirst(prefix.count).split(separator: "/").map(String.init)
            found[rest[0]] =
                rest.count > 1
                ? FetchedEntry(rest[0], .folder)
                : FetchedEntry(
                    rest[0],
                    .file(size: Int64(file.content.count), version: Array(path.utf8) + [file.version]))
        }
        let all = found.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return all + (folder.isEmpty ? extra : [])
    }

    func entry(at path: [String]) throws -> FetchedEntry? {
        entries(of: Array(path.dropLast())).first { $0.name == path.last }
    }

    func entries(of folder: [String], after last: FetchedEntry?) throws -> [FetchedEntry] {
        let all = entries(of: folder)
        let start = last.flatMap { last in all.firstIndex { $0 == last }.map { $0 + 1 } } ?? 0
        return Array(all[start...].prefix(100))
    }

    func open(_ entry: FetchedEntry, at path: [String]) throws -> any FetchedFile {
        let file = try #require(files.withLock { $0[path.joined(separator: "/")] })
        return MadeFetched(file.content, self)
    }
}

private final class MadeFetched: FetchedFile {
    private let content: [UInt8]
    private let store: MadeStore

    init(_ content: [UInt8], _ store: MadeStore) {
        self.content = content
        self.store = store
    }

    var size: Int64 { Int64(content.count) }

    func bytes(in range: Range<Int64>, checkpoint: () throws -> Void) throws -> [UInt8] {
        try checkpoint()
        store.requests.add(1, ordering: .relaxed)
        store.fetched.add(range.count, ordering: .relaxed)
        let part = Array(content[Int(range.lowerBound)..<Int(range.upperBound)])
        return store.isShort.load(ordering: .relaxed) ? Array(part.dropLast()) : part
    }
}
