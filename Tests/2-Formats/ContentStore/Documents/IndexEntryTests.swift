import FaultInjection
import Testing
import ValiseFailures

@testable import ValiseContentStore

struct IndexEntryTests {
    private static let documents = [
        "index v2 preparing over an older committed entry", "index v3 symlink", "index v4 deleted",
        "index v4 deleted with evidence",
    ]

    @Test func `each document is written again byte for byte`() throws {
        for name in Self.documents {
            let bytes = try StoreFixture.document(name)
            #expect(try IndexEntry(parsing: bytes).encoded().text == bytes.text)
        }
        for store in StoredFixture.names {
            for (key, bytes) in try StoredFixture(store).objects where key.contains("/index/") {
                guard case .committed(let item) = try IndexEntry(parsing: bytes) else {
                    Issue.record("\(key)")
                    continue
                }
                let isText = bytes.first != UInt8(ascii: "{")
                let written = isText ? item.encodedText : IndexEntry.committed(item).encoded()
                #expect(written?.text == bytes.text, "\(store): \(key)")
            }
        }
    }

    @Test func `an entry says what is current and what is pending`() throws {
        let preparing = try IndexEntry(parsing: StoreFixture.document(Self.documents[0]))
        guard case .preparing(let current?, let pending) = preparing else {
            Issue.record("not preparing")
            return
        }
        #expect(current.size == 10001 && current.chunks == 2 && preparing.current == current)
        #expect(pending.item.size == 10050 && pending.item.manifest.text == String(repeating: "2", count: 64))
        let layout = StoreLayout(prefix: "acct/demo")
        #expect(layout.isStaged(pending.stagedKey, of: pending.item.manifest))
        #expect(!layout.isStaged(pending.stagedKey, of: current.manifest))
        guard case .committed(let link) = try IndexEntry(parsing: StoreFixture.document(Self.documents[1]))
        else {
            Issue.record("not committed")
            return
        }
        #expect(link.target == "../shared/notes.txt" && link.encodedText == nil)
        #expect(try IndexEntry(parsing: StoreFixture.document(Self.documents[2])) == .deleted(nil))
        let deleted = try IndexEntry(parsing: StoreFixture.document(Self.documents[3]))
        guard case .deleted(let copy?) = deleted else {
            Issue.record("without evidence")
            return
        }
        #expect(
            copy.key.hasPrefix("acct/demo/.tcfs-trash/") && copy.digest.hasPrefix("b32e")
                && deleted.current == nil)
    }

    @Test func `lines are read in any order, and sizes may be missing`() throws {
        let bytes = try StoreFixture.document("index legacy text")
        let name = try #require(ObjectName(String(repeating: "3", count: 64)))
        #expect(
            try IndexEntry(parsing: bytes) == .committed(IndexedItem(manifest: name, size: 10001, chunks: 2)))
        for (text, size, chunks) in [
            ("chunks=2\nsize=7\nmanifest_hash=\(name)\n", 7, 2), ("manifest_hash=\(name)", 0, 0),
            ("x\nfuture=1\nmanifest_hash=\(name)\r\nsize=7\r\n", 7, 0),
        ] {
            let item = IndexedItem(manifest: name, size: Int64(size), chunks: chunks)
            #expect(try IndexEntry(parsing: text.utf8Bytes) == .committed(item))
        }
    }

    @Test(arguments: [
        "", "size=1\n", "manifest_hash=\n", "manifest_hash=../x\n", "manifest_hash=a\nsize=-1\n",
        "manifest_hash=a\nsize=x\n", "manifest_hash=a\nchunks=99999999999999999999\n", " {", "{}", "[]",
        "{\"version\":2}", "{\"version\":2,\"state\":\"committed\",\"current\":null,\"pending\":null}",
        "{\"version\":4,\"state\":\"deleted\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1}}",
        "{\"version\":2,\"state\":\"deleted\"}", "{\"version\":3,\"state\":\"deleted\"}",
        "{\"version\":4,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1}}",
        "{\"version\":1,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1}}",
        "{\"version\":2,\"state\":\"done\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1}}",
        "{\"version\":2,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a/b\",\"size\":1,\"chunks\":1}}",
        "{\"version\":2,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":-1,\"chunks\":1}}",
        "{\"version\":2,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1}}",
        "{\"version\":2,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1,\"kind\":\"symlink\",\"symlink_target\":\"x\"}}",
        "{\"version\":3,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1,\"kind\":\"symlink\"}}",
        "{\"version\":3,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1,\"symlink_target\":\"x\"}}",
        "{\"version\":3,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1,\"kind\":\"pipe\"}}",
        "{\"version\":2,\"state\":\"preparing\",\"pending\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1}}",
    ])
    func `an entry that contradicts itself is damaged`(text: String) {
        let error = #expect(throws: ContentStoreError.self) { try IndexEntry(parsing: text.utf8Bytes) }
        #expect(error?.kind == .damaged, "\(String(describing: error))")
    }

    @Test func `version 3 may be without a link, and 5 is newer`() throws {
        let text =
            "{\"version\":3,\"state\":\"committed\",\"current\":{\"manifest_hash\":\"a\",\"size\":1,\"chunks\":1}}"
        #expect(try IndexEntry(parsing: text.utf8Bytes).current?.size == 1)
        let error = #expect(throws: ContentStoreError.self) {
            try IndexEntry(parsing: text.replacing("3", with: "5").utf8Bytes)
        }
        #expect(error?.code == .newer)
        let large = text + String(repeating: " ", count: 64 << 10)
        #expect(throws: ContentStoreError.self) { try IndexEntry(parsing: large.utf8Bytes) }
        #expect(throws: ContentStoreError.self) {
            try IndexEntry(parsing: [UInt8](repeating: 0x61, count: 65 << 10))
        }
        #expect(throws: ContentStoreError.self) { try IndexEntry(parsing: [0x61, 0xff]) }
    }

    @Test(arguments: [1, 2, .random(in: 3 ... .max)]) func `any entry is read as it was written`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let entry = RandomDocuments.entry(&random)
            #expect(try IndexEntry(parsing: entry.encoded()) == entry, "\(seed)")
            guard case .committed(let item) = entry, let text = item.encodedText else { continue }
            #expect(try IndexEntry(parsing: text) == entry, "\(seed)")
        }
    }

    @Test func `the marker of folders is that of others`() throws {
        let name = "directory marker (object {prefix}/index/{dir}/.tcfs_dir)"
        #expect(try StoreFixture.document(name) == DirectoryMarker.content)
    }
}
