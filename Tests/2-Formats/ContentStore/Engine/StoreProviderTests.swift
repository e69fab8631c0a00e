import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// The interface for file providers of operating systems.
struct StoreProviderTests {
    private let objects = MemoryObjectStore(now: { StoreModel.start })
    private let files: LocalFiles

    init() throws { files = try LocalFiles(["a": [1, 2, 3], "b": [4]]) }

    private func provider(
        _ objects: (any ObjectStore)? = nil, device: String = "phone", _ state: String = "state"
    ) throws -> StoreProvider {
        try StoreProvider(
            ProviderConfiguration(
                objects ?? self.objects, prefix: StoreModel.prefix, device: device,
                stateFolder: files.folder.appending(state), now: { StoreModel.start }))
    }

    private func all(_ provider: StoreProvider, _ folder: String = "", limit: Int) throws -> [ProviderItem] {
        var items: [ProviderItem] = []
        var page: String?
        repeat {
            let found = try provider.listItems(folder, page: page, limit: limit)
            #expect(found.items.count <= limit)
            items += found.items
            page = found.next
        } while page != nil
        return items
    }

    @Test(arguments: [1, 2, 3, 100]) func `pages together are the folder`(limit: Int) throws {
        let provider = try provider()
        for name in ["z", "a.b", "a/x", "a/y", "m/n/o", "gone"] {
            _ = try provider.uploadFile(files.file("a"), as: name, basedOn: nil)
        }
        try provider.deleteItem("gone")
        _ = try provider.createDirectory("empty")
        let items = try all(provider, limit: limit)
        #expect(items.map(\.identifier) == ["a.b", "a", "empty", "m", "z"])
        #expect(items.map(\.isFolder) == [false, true, true, true, false])
        #expect(try all(provider, "a", limit: limit).map(\.name) == ["x", "y"])
        #expect(try all(provider, "empty", limit: limit).isEmpty)
        #expect(items[0].size == 3 && items[0].writtenBy == "phone" && !items[0].contentVersion.isEmpty)
        let error = #expect(throws: ProviderError.self) { try provider.listItems("nowhere") }
        #expect(error?.kind == .notFound && error?.earlierKind == .notFound)
    }

    @Test func `a file goes and comes, whole and in parts`() throws {
        let provider = try provider()
        var random = SeededGenerator(seed: 4)
        let content = StoreModel.bytes(500_000, &random)
        let source = try files.write("large", content)
        let item = try provider.uploadFile(source, as: "folder/large.bin", basedOn: nil)
        #expect(item.size == 500_000 && item.parent == "folder" && item.name == "large.bin")
        let target = files.file("out")
        #expect(try provider.hydrateFile(item.identifier, to: target) == item)
        #expect(try FileSystem().contents(of: target, limit: 1 << 20) == content)
        try provider.hydrateFile(item.identifier, to: target, range: 100_000..<300_000)
        #expect(try FileSystem().contents(of: target, limit: 1 << 20) == Array(content[100_000..<300_000]))
        try provider.hydrateFile(item.identifier, to: target, range: 499_990..<600_000)
        #expect(try FileSystem().contents(of: target, limit: 1 << 20) == Array(content[499_990...]))
        try provider.hydrateFileVersion(item.identifier, item.contentVersion, to: target)
        #expect(throws: Interruption.self) {
            try provider.hydrateFile(item.identifier, to: target) { _ in throw Interruption() }
        }
        #expect(try FileSystem().contents(of: target, limit: 1 << 20) == content)
        let status = provider.syncStatus()
        #expect(status.isConnected && status.filesSynced == 5 && status.filesPending == 0)
    }

    @Test func `another version is told from the one that was asked for`() throws {
        let provider = try provider()
        let first = try provider.uploadFile(files.file("a"), as: "x", basedOn: nil)
        let second = try provider.uploadFile(files.file("b"), as: "x", basedOn: first.contentVersion)
        #expect(second.contentVersion != first.contentVersion)
        let error = #expect(throws: ProviderError.self) {
            try provider.hydrateFileVersion("x", first.contentVersion, to: files.file("out"))
        }
        #expect(
            error?.kind == .versionMismatch(requested: first.contentVersion, current: second.contentVersion))
    }

    @Test func `an upload that goes back to an older version is a conflict`() throws {
        let (phone, tablet) = (try provider(), try provider(device: "tablet"))
        let first = try phone.uploadFile(files.file("a"), as: "x", basedOn: nil)
        _ = try tablet.uploadFile(files.file("b"), as: "x", basedOn: first.contentVersion)
        let file = try files.write("c", [7])
        let info = try #require(try phone.checkConflict("x", file, basedOn: first.contentVersion))
        #expect(info.localDevice == "phone" && info.remoteDevice == "tablet")
        for basis in [first.contentVersion, nil, "nonsense"] {
            let error = #expect(throws: ProviderError.self) {
                try phone.uploadFile(file, as: "x", basedOn: basis)
            }
            #expect(error?.kind == .conflict && error?.earlierKind == .storageError)
        }
        let deletion = #expect(throws: ProviderError.self) {
            try phone.deleteItem("x", basedOn: first.contentVersion)
        }
        #expect(deletion?.kind == .conflict)
        #expect(try StoreModel.files(objects) == ["x": [4]])
        #expect(phone.syncStatus().lastError != nil)
    }

    @Test func `copies of a conflict name their file`() throws {
        let provider = try provider()
        for name in ["d/report.conflict-phone.txt", "d/report.txt", "d/note.conflict-tablet", ".conflict-x"] {
            _ = try provider.uploadFile(files.file("a"), as: name, basedOn: nil)
        }
        #expect(try provider.item("d/report.conflict-phone.txt").conflictWith == "d/report.txt")
        #expect(try provider.item("d/note.conflict-tablet").conflictWith == "d/note")
        #expect(try provider.item("d/report.txt").conflictWith == nil)
        #expect(try provider.item(".conflict-x").conflictWith == nil)
        #expect(try provider.item("d").isFolder && provider.item("").isFolder)
    }

    @Test func `failures have the kinds of both interfaces`() throws {
        let provider = try provider()
        _ = try provider.uploadFile(files.file("a"), as: "x", basedOn: nil)
        func kind(_ body: () throws -> Void) -> ProviderError.Kind? {
            #expect(throws: ProviderError.self) { try body() }?.kind
        }
        #expect(kind { try provider.hydrateFile("y", to: files.file("out")) } == .notFound)
        #expect(kind { try provider.hydrateFile("../y", to: files.file("out")) } == .invalidArgument)
        #expect(kind { _ = try provider.changes(since: "?") } == .invalidArgument)
        for (storage, expected) in [
            (StorageError.Kind.unreachable, ProviderError.Kind.network), (.credentials, .authentication),
            (.changed, .conflict), (.busy, .network), (.appendOnly, .storage),
        ] {
            let broken = InterceptedObjects(objects) { _ in
                throw StorageError(storage, .failed, "broken")
            }
            #expect(kind { _ = try self.provider(broken) } == expected)
        }
        let keyed = StoreKeys(master: try .random())
        _ = try StoreModel.writer(objects, keys: keyed).upload(files.file("a"), to: StorePath("secret"))
        #expect(kind { try provider.hydrateFile("secret", to: files.file("out")) } == .decryption)
    }

    // MARK: Changes

    private func changes(
        _ provider: StoreProvider, _ anchor: inout String, limit: Int = 100
    ) throws -> (updated: Set<String>, deleted: Set<String>) {
        var (updated, deleted): (Set<String>, Set<String>) = ([], [])
        while true {
            let found = try provider.changes(since: anchor, limit: limit)
            updated.formUnion(found.updated.map { $0.identifier + ($0.isFolder ? "/" : "") })
            deleted.formUnion(found.deleted)
            anchor = found.anchor
            if !found.hasMore { return (updated, deleted) }
        }
    }

    @Test(arguments: StoreWriter.Style.allCases, [1, 2, 100])
    func `what happened since an anchor is told`(style: StoreWriter.Style, limit: Int) throws {
        let provider = try provider()
        let writer = try StoreModel.writer(objects, style)
        for name in ["a", "b/c", "b/d"] { _ = try writer.upload(files.file("a"), to: StorePath(name)) }
        var anchor = try provider.currentAnchor()
        var found = try changes(provider, &anchor)
        #expect(found.updated.isEmpty && found.deleted.isEmpty)
        _ = try writer.upload(files.file("b"), to: StorePath("b/c"))
        _ = try writer.upload(files.file("b"), to: StorePath("e/f/g"))
        try writer.createDirectory(StorePath("marked"))
        try writer.remove(StorePath("a"))
        found = try changes(provider, &anchor, limit: limit)
        #expect(found.updated == ["b/c", "e/", "e/f/", "e/f/g", "marked/"])
        #expect(found.deleted == ["a"])
        try writer.remove(StorePath("e/f/g"))
        found = try changes(provider, &anchor, limit: limit)
        // A tombstone keeps its folders.
        #expect(found.deleted == (style == .guarded ? ["e/f/g"] : ["e", "e/f", "e/f/g"]))
        #expect(found.updated.isEmpty)
        found = try changes(provider, &anchor)
        #expect(found.updated.isEmpty && found.deleted.isEmpty)
    }

    @Test func `an anchor that is not kept is gone`() throws {
        let provider = try provider()
        _ = try provider.uploadFile(files.file("a"), as: "x", basedOn: nil)
        let anchor = try provider.currentAnchor()
        _ = try provider.changes(since: anchor)
        let fresh = try self.provider(nil, device: "phone", "elsewhere")
        _ = try provider.uploadFile(files.file("b"), as: "z", basedOn: nil)
        let error = #expect(throws: ProviderError.self) { try fresh.changes(since: anchor) }
        #expect(error?.code == .gone)
        for number in 0..<5 {
            _ = try provider.uploadFile(files.file("a"), as: "y\(number)", basedOn: nil)
            _ = try provider.currentAnchor()
        }
        let old = #expect(throws: ProviderError.self) { try provider.changes(since: anchor) }
        #expect(old?.code == .gone)
        #expect(try FileSystem().list(files.folder.appending("state")).count == 4)
    }

    @Test func `random changes are told as sets tell them`() throws {
        let seed = UInt64.random(in: 0...999_999)
        print("changes since anchors: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let provider = try provider()
        let writer = try StoreModel.writer(objects)
        let names = ["a", "a-b", "b/c", "b/d/e", "b/d/f", "b-x", "c/d", "z"]
        var anchor = try provider.currentAnchor()
        var before = try StoreModel.files(objects)
        for _ in 0..<40 {
            for name in names where Int.random(in: 0...2, using: &random) == 0 {
                if Bool.random(using: &random) {
                    try writer.remove(StorePath(name))
                } else {
                    let file = try files.write("source", [UInt8.random(in: 0...255, using: &random)])
                    _ = try writer.upload(file, to: StorePath(name))
                }
            }
            let after = try StoreModel.files(objects)
            let found = try changes(provider, &anchor, limit: Int.random(in: 1...5, using: &random))
            func folders(_ files: [String: [UInt8]]) -> Set<String> {
                Set(files.keys.flatMap { name in (try? StorePath(name))?.ancestors.map(\.text) ?? [] })
            }
            let updated = Set(after.filter { before[$0.key] != $0.value }.keys)
            // What was uploaded with the content that it had, after a removal, counts too.
            #expect(found.updated.filter { !$0.hasSuffix("/") }.isSuperset(of: updated), "seed \(seed)")
            #expect(
                Set(found.updated.filter { $0.hasSuffix("/") }.map { String($0.dropLast()) })
                    == folders(after).subtracting(folders(before)), "seed \(seed)")
            #expect(
                found.deleted
                    == Set(before.keys).subtracting(after.keys)
                    .union(folders(before).subtracting(folders(after))), "seed \(seed)")
            before = after
        }
    }
}
