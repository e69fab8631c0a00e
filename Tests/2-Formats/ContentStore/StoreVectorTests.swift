import Testing
import ValiseFailures
import ValiseStorage

@testable import ValiseContentStore

/// Whole stores of each era, read by the formats alone.
struct StoreVectorTests {
    @Test(arguments: StoredFixture.names) func `each file of a store is read back`(name: String) throws {
        let store = try StoredFixture(name)
        let layout = StoreLayout(prefix: store.prefix)
        #expect(store.files.sorted() == store.contents.keys.sorted())
        for (path, content) in store.contents {
            let path = try StorePath(path)
            let entry = try IndexEntry(parsing: #require(store.objects[layout.entry(path).text]))
            let item = try #require(entry.current)
            let bytes = try #require(store.objects[try layout.manifest(item.manifest).text])
            let manifest = try StoreManifest(parsing: bytes)
            try manifest.check(bytes, against: item, at: path)
            guard case .file(let file) = manifest else {
                Issue.record("not a file")
                continue
            }
            let sealing = try store.keys.key(of: file).map { ChunkSealing(key: $0, file: file.content) }
            #expect((sealing != nil) == name.hasSuffix("encrypted"))
            var found: [UInt8] = []
            for (index, chunk) in file.chunks.enumerated() {
                let object = try #require(store.objects[try layout.chunk(chunk).text])
                let digest = try ContentDigest(of: object)
                #expect(.digest(digest) == chunk)
                found += try sealing?.open(object, index: index) ?? object
            }
            #expect(found == content && found.count == file.size)
            #expect(try ContentDigest(of: found) == file.content)
            if sealing == nil { try checkChunks(of: content, path, file) }
        }
    }

    /// They are cut by the rules of those versions.
    private func checkChunks(of content: [UInt8], _ path: StorePath, _ file: FileManifest) throws {
        let cuts = content.withUnsafeBytes { FastCDC(ChunkRules.early.sizes(for: path.text)).cuts($0) }
        var place = 0
        let names = try cuts.map { length in
            defer { place += length }
            return ObjectName.digest(try ContentDigest(of: Array(content[place..<(place + length)])))
        }
        #expect(file.chunks == names)
    }

    @Test(arguments: StoredFixture.names) func `every key of a store is known`(name: String) throws {
        let store = try StoredFixture(name)
        let layout = StoreLayout(prefix: store.prefix)
        var known = 0
        for text in store.objects.keys {
            let key = try ObjectKey(text)
            let isKnown =
                try layout.chunk(at: key) != nil || layout.manifest(at: key) != nil
                || layout.place(at: key) != nil
                || text.hasPrefix(layout.namespace)
            if isKnown { known += 1 }
        }
        #expect(known == store.objects.count)
    }

    @Test func `a manifest of another path or size is refused, but where a store shares it`() throws {
        let (portable, early) = (
            try StoredFixture("store_portable_plain"), try StoredFixture("store_v0.5.0_plain")
        )
        let layout = StoreLayout(prefix: portable.prefix)
        let (path, copy) = (
            try StorePath("chats/2026/alice.jsonl"), try StorePath("chats/2026/alice-copy.jsonl")
        )
        func read(_ store: StoredFixture) throws -> (bytes: [UInt8], item: IndexedItem) {
            let entry = try IndexEntry(parsing: #require(store.objects[layout.entry(path).text]))
            let item = try #require(entry.current)
            return (try #require(store.objects[try layout.manifest(item.manifest).text]), item)
        }
        let (bytes, item) = try read(portable)
        let manifest = try StoreManifest(parsing: bytes)
        try manifest.check(bytes, against: item, at: path)
        for (item, path) in [
            (item, copy),
            (IndexedItem(manifest: item.manifest, size: item.size + 1, chunks: item.chunks), path),
            (IndexedItem(manifest: item.manifest, size: item.size, chunks: item.chunks + 1), path),
            (IndexedItem(manifest: .digest(.ofNothing), size: item.size, chunks: item.chunks), path),
            (IndexedItem(manifest: item.manifest, size: item.size, chunks: item.chunks, target: "x"), path),
        ] {
            let error = #expect(throws: ContentStoreError.self) {
                try manifest.check(bytes, against: item, at: path)
            }
            #expect(error?.kind == .damaged && error?.subject == path.text)
        }
        let (shared, sharedItem) = try read(early)
        try StoreManifest(parsing: shared).check(shared, against: sharedItem, at: copy)
    }

    @Test func `an encrypted store needs its key`() throws {
        let store = try StoredFixture("store_portable_encrypted")
        let manifests = try store.objects.filter { $0.key.contains("/manifests/") }.map {
            try StoreManifest(parsing: $0.value)
        }
        for case .file(let file) in manifests {
            let none = #expect(throws: ContentStoreError.self) { try StoreKeys.none.key(of: file) }
            #expect(none?.kind == .noKey && none?.remedy == .giveStoreKey)
            let other = #expect(throws: ContentStoreError.self) {
                try StoreKeys(master: .random()).key(of: file)
            }
            #expect(other?.kind == .wrongKey)
        }
        #expect(manifests.count == 4)
    }
}
