import FaultInjection
import SystemPackage
import Testing
import ValiseEncoding
import ValiseFiles
import ValiseSecrets
import ValiseStorage

@testable import ValiseContentStore

/// What we write is read by a reader that was written from the format's description, and the other way round.
struct StorePeerTests {
    private static let hexadecimal = String(repeating: "0123456789abcdef", count: 4)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func keys(_ encrypted: Bool) throws -> StoreKeys {
        guard encrypted else { return .none }
        return StoreKeys(master: StoreKey(try StoreFixture.seed(hexadecimal: Self.hexadecimal)))
    }

    private func files(_ seed: UInt64) throws -> [String: [UInt8]] {
        var random = SeededGenerator(seed: seed)
        return [
            "a.txt": StoreModel.bytes(10, &random), "empty": [],
            "chats/2026/alice.jsonl": StoreModel.bytes(40_000, &random),
            "chats/2026/copy.jsonl": [UInt8](repeating: 7, count: 300_000),
            "chats/other.jsonl": [UInt8](repeating: 7, count: 300_000),
            "médias/größe.bin": StoreModel.bytes(600_000, &random),
        ]
    }

    /// Writes objects as files below the folder.
    private func dump(_ objects: MemoryObjectStore) throws -> String {
        let fileSystem = FileSystem()
        let root = folder.appending("store")
        for (key, content) in objects.contents {
            let path = key.text.split(separator: "/").reduce(root) { $0.appending(String($1)) }
            try fileSystem.makeDirectories(path.parentFolder)
            var file = try fileSystem.create(path)
            try file.write(content)
        }
        return root.string
    }

    @Test(
        .enabled(if: IndependentReader.isThere, "needs the peers of stores"),
        arguments: [false, true], StoreWriter.Style.allCases)
    func `another reader reads what we write`(encrypted: Bool, style: StoreWriter.Style) throws {
        let seed = UInt64.random(in: 0...999_999)
        print("files of a store for another reader: seed \(seed)")
        let (files, keys) = (try files(seed), try keys(encrypted))
        let local = try LocalFiles(files)
        let objects = MemoryObjectStore(now: { StoreModel.start })
        let writer = try StoreModel.writer(objects, style, keys: keys)
        var base = SyncBase(writer.store)
        let plan = try SyncPlanner(writer.store, local.path, base, now: { StoreModel.start }).plan(.push)
        let report = try StoreSync(writer, local.path).run(plan, &base)
        #expect(report.isComplete)
        if style == .guarded {
            _ = try writer.uploadLink(to: "a.txt", at: StorePath("link"))
            try writer.remove(StorePath("empty"))
        }
        try writer.createDirectory(StorePath("folder"))
        let lines = try IndependentReader.lines(
            of: dump(objects), prefix: StoreModel.prefix, key: encrypted ? Self.hexadecimal : nil,
            options: style == .portable ? ["--portable", "--orphans"] : ["--orphans"])
        var found: [String: String] = [:]
        for line in lines {
            let path = line.path ?? line.key ?? "?"
            found[path] = line.kind == "file" ? line.blake3 : line.kind
        }
        var expected = try files.mapValues { try ContentDigest(of: $0).text }
        expected["folder"] = "directory"
        if style == .guarded { (expected["link"], expected["empty"]) = ("symlink", "deleted") }
        // What was deleted is an orphan until it is collected.
        let orphans = found.filter { $0.value == "orphan" }
        #expect(orphans.count == (style == .guarded ? 1 : 0), "\(orphans)")
        #expect(found.filter { $0.value != "orphan" } == expected, "seed \(seed)")
        for line in lines where line.kind == "file" {
            #expect(line.size == line.path.flatMap { files[$0]?.count }.map(Int64.init))
            #expect(line.encrypted == encrypted || line.encrypted == nil && !encrypted)
        }
    }

    @Test(
        .enabled(if: IndependentReader.isThere, "needs the peers of stores"),
        arguments: [false, true], ["v0.5.0", "main-2026-07", "portable"])
    func `we read what another writer writes`(encrypted: Bool, layout: String) throws {
        let seed = UInt64.random(in: 0...999_999)
        print("files of a store by another writer: seed \(seed)")
        let files = try files(seed)
        let local = try LocalFiles(files)
        let store = folder.appending("store")
        try FileSystem().makeDirectory(store)
        try IndependentReader.write(
            local.path.string, to: store.string, prefix: StoreModel.prefix, layout: layout,
            key: encrypted ? Self.hexadecimal : nil)
        let objects = MemoryObjectStore(now: { StoreModel.start })
        for case (let path, let content?) in try TemporaryFolder.contents(of: store) {
            try objects.put(ObjectKey(path), content, if: .always)
        }
        let keys = try keys(encrypted)
        #expect(try StoreModel.files(objects, keys: keys) == files, "seed \(seed)")
        let report = try StoreModel.verify(objects, keys: keys)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(try StoreComparison(StoreModel.store(objects, keys: keys), local.path).run { _ in }.isSame)
    }
}
