import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseStorage

@testable import ValiseContentStore

/// Whole stores of each era, read by the engine.
struct StoreEraTests {
    @Test(arguments: StoredFixture.names)
    func `all files of a store are read back byte for byte`(name: String) throws {
        let stored = try StoredFixture(name)
        let objects = try StoreModel.objects(stored)
        #expect(try StoreModel.files(objects, keys: stored.keys) == stored.contents)
        let report = try StoreModel.verify(objects, keys: stored.keys)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.files == 4 && report.chunks > 0)
        // One manifest of the first era is that of two paths.
        #expect(report.verifiedFiles == (name.hasPrefix("store_v0.5.0") ? 3 : 4))
    }

    @Test(arguments: StoredFixture.names) func `listings have all paths in order`(name: String) throws {
        let objects = try StoreModel.objects(StoredFixture(name))
        let store = StoreModel.store(objects)
        func list(_ folder: String?, _ isRecursive: Bool, after: String? = nil) throws -> [String] {
            var found: [String] = []
            try store.list(folder.map { try StorePath($0) }, isRecursive: isRecursive, after: after) { item in
                switch item {
                case .folder(let path): found.append(path.text + "/")
                case .entry(let path, _): found.append(path.text)
                case .unusable(let key): found.append("! \(key)")
                }
                return true
            }
            return found
        }
        let all = ["chats/2026/alice-copy.jsonl", "chats/2026/alice.jsonl", "empty.txt", "media/pic.bin"]
        #expect(try list(nil, true).filter { !$0.hasSuffix("/") } == all)
        #expect(try list(nil, false) == ["chats/", "empty.txt", "media/"])
        #expect(try list("chats", false) == ["chats/2026/"])
        #expect(try list("chats/2026", false) == Array(all.prefix(2)))
        #expect(try list(nil, false, after: "chats/") == ["empty.txt", "media/"])
        #expect(try store.isFolder(StorePath("chats")) && !store.isFolder(StorePath("chat")))
    }

    @Test func `a store that shares manifests is refused where only the last era counts`() throws {
        let objects = try StoreModel.objects(StoredFixture("store_v0.5.0_plain"))
        let strict = StoreModel.store(objects) { $0.sharesOldManifests = false }
        let refused = ["chats/2026/alice-copy.jsonl", "chats/2026/alice.jsonl"].filter {
            (try? strict.resolve(StorePath($0))) == nil
        }
        #expect(refused.count == 1)
    }

    @Test func `manifests of the first version are read by their names only`() throws {
        var random = SeededGenerator(seed: 1)
        let pieces = [StoreModel.bytes(3000, &random), StoreModel.bytes(500, &random)]
        let objects = MemoryObjectStore()
        let chunks = try pieces.map { piece in
            let name = ObjectName.digest(try ContentDigest(of: piece))
            try objects.put(StoreModel.layout.chunk(name), piece, if: .always)
            return name
        }
        let content = Array(pieces.joined())
        let name = ObjectName.digest(try ContentDigest(of: content))
        try objects.put(
            StoreModel.layout.manifest(name), StoreManifest.chunks(chunks).encoded(), if: .always)
        let store = StoreModel.store(objects)
        let folder = try TemporaryFolder(inMemory: true)
        try store.hydrate(store.file(name), named: name.text, to: folder.appending("file"))
        #expect(try FileSystem().contents(of: folder.appending("file"), limit: 10_000) == content)
        let path = try StorePath("old.txt")
        let entry = IndexedItem(manifest: name, size: Int64(content.count), chunks: 2)
        try objects.put(
            StoreModel.layout.entry(path), #require(entry.encodedText), if: .always)
        #expect(throws: ContentStoreError.self) { try store.resolve(path) }
        #expect(try StoreModel.verify(objects).errors.map(\.kind) == [.wrongManifest])
    }

    @Test func `the manifest of a device is opened with its identity`() throws {
        let known = try StoreFixture.json("documents")
        let sample = try #require(known["per_device_v3"] as? [String: Any])
        let manifest = try sample.required("manifest_text").utf8Bytes
        let object = try sample.base64("chunk_object_b64")
        let objects = MemoryObjectStore()
        let name = ObjectName.digest(try ContentDigest(of: object))
        try objects.put(StoreModel.layout.chunk(name), object, if: .always)
        let id = try #require(ObjectName(sample.required("object_id")))
        try objects.put(StoreModel.layout.manifest(id), manifest, if: .always)
        let path = try StorePath("per-device.txt")
        let entry = IndexedItem(manifest: id, size: 17, chunks: 1)
        try objects.put(StoreModel.layout.entry(path), #require(entry.encodedText), if: .always)
        let report = try StoreModel.verify(objects)
        #expect(report.isIntact && report.counts == [.noKey: 1])
        let error = #expect(throws: ContentStoreError.self) { try StoreModel.files(objects) }
        #expect(error?.kind == .noKey)
    }

    // MARK: Interrupted runs

    /// A store in which somebody was about to replace a file.
    private func interrupted(
        staged: Bool, final: Bool, current: Bool
    ) throws -> (objects: MemoryObjectStore, path: StorePath, old: [UInt8], new: [UInt8]) {
        var random = SeededGenerator(seed: 7)
        let (old, new) = (StoreModel.bytes(5000, &random), StoreModel.bytes(6000, &random))
        let objects = MemoryObjectStore()
        let files = try LocalFiles(["old": old, "new": new])
        let path = try StorePath("folder/file")
        let writer = try StoreModel.writer(objects)
        _ = try writer.upload(files.file("old"), to: path)
        let previous = try writer.store.resolve(path)
        _ = try writer.upload(files.file("new"), to: path)
        let next = try writer.store.resolve(path)
        let layout = StoreModel.layout
        let manifest = try layout.manifest(next.indexed.manifest)
        let content = try objects.get(manifest, nil, mostBytes: 1 << 20).content
        let key = try layout.stagedManifest(
            next.indexed.manifest, unique: "7b7c1d0e-52f1-4a57-9f0e-2f6f1a3f0c11")
        if staged { try objects.put(key, content, if: .always) }
        if !final { objects.remove(manifest) }
        let entry = IndexEntry.preparing(
            current: current ? previous.indexed : nil, pending: PendingItem(next.indexed, stagedKey: key.text)
        )
        try objects.put(layout.entry(path), entry.encoded(), if: .always)
        return (objects, path, old, new)
    }

    @Test(arguments: [true, false], [true, false])
    func `a run that was interrupted is completed, or did not happen`(staged: Bool, final: Bool) throws {
        let (objects, path, old, new) = try interrupted(staged: staged, final: final, current: true)
        let before = objects.contents
        #expect(try StoreModel.files(objects) == [path.text: staged || final ? new : old])
        #expect(try StoreModel.store(objects).resolve(path).isRolledForward == (staged || final))
        #expect(objects.contents == before, "reading changes nothing")
        let settled = try StoreModel.writer(objects).settled(path)
        #expect(settled.item?.isRolledForward == false)
        #expect(try StoreModel.files(objects) == [path.text: staged || final ? new : old])
        if staged || final {
            let entry = try objects.get(StoreModel.layout.entry(path), nil, mostBytes: 1 << 20).content
            guard case .committed = try IndexEntry(parsing: entry) else {
                Issue.record("not completed")
                return
            }
        }
    }

    @Test func `the first content of a path that was never there is none`() throws {
        let (objects, path, _, _) = try interrupted(staged: false, final: false, current: false)
        guard case .unfinished = try StoreModel.store(objects).content(of: path) else {
            Issue.record("not unfinished")
            return
        }
        #expect(try StoreModel.files(objects).isEmpty)
        let report = try StoreModel.verify(objects)
        #expect(report.isIntact && report.counts[.unfinished] == 1)
    }

    @Test func `a staged manifest elsewhere is refused`() throws {
        let (objects, path, _, _) = try interrupted(staged: true, final: false, current: true)
        let key = StoreModel.layout.entry
        let stored = try objects.get(key(path), nil, mostBytes: 1 << 20).content
        guard case .preparing(let current, let pending) = try IndexEntry(parsing: stored) else {
            Issue.record("not preparing")
            return
        }
        for place in [
            "other/staging/manifests/7b7c1d0e-52f1-4a57-9f0e-2f6f1a3f0c11-\(pending.item.manifest).json",
            "acct/demo/staging/manifests/../x-\(pending.item.manifest).json",
            "acct/demo/staging/manifests/7B7C1D0E-52F1-4A57-9F0E-2F6F1A3F0C11-\(pending.item.manifest).json",
            "acct/demo/chunks/x",
        ] {
            let entry = IndexEntry.preparing(
                current: current, pending: PendingItem(pending.item, stagedKey: place))
            try objects.put(key(path), entry.encoded(), if: .always)
            let error = #expect(throws: ContentStoreError.self) {
                try StoreModel.store(objects).content(of: path)
            }
            #expect(error?.kind == .damaged, "\(place)")
        }
    }

    @Test func `a tombstone is nothing to read`() throws {
        let objects = MemoryObjectStore()
        let path = try StorePath("gone")
        try objects.put(
            StoreModel.layout.entry(path), IndexEntry.deleted(nil).encoded(), if: .always)
        let error = #expect(throws: ContentStoreError.self) { try StoreModel.store(objects).resolve(path) }
        #expect(error?.kind == .missing)
        #expect(try StoreModel.verify(objects).deleted == 1)
    }
}
