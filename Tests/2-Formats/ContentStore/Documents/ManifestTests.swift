import FaultInjection
import Testing
import ValiseFailures

@testable import ValiseContentStore

struct ManifestTests {
    /// The manifests of all vectors.
    private static func vectors() throws -> [[UInt8]] {
        var found = [
            try StoreFixture.document("symlink manifest v3"),
            try StoreFixture.text("documents", "per_device_v3", "manifest_text").utf8Bytes,
        ]
        for store in StoredFixture.names {
            found += try StoredFixture(store).objects.filter { $0.key.contains("/manifests/") }.map(\.value)
        }
        return found
    }

    @Test func `each manifest is written again byte for byte`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 2 + 4 + 4 + 4 + 3 + 3)
        for bytes in vectors {
            #expect(try StoreManifest(parsing: bytes).encoded().text == bytes.text)
        }
    }

    @Test func `a manifest has the fields and the names of the vectors`() throws {
        let bytes = try StoreFixture.document("symlink manifest v3")
        let manifest = try StoreManifest(parsing: bytes)
        guard case .link(let link) = manifest else {
            Issue.record("not a link")
            return
        }
        #expect(link.target == "../shared/notes.txt" && link.path == "links/notes" && link.device == "dev-a")
        #expect(link.clock == VectorClock(["dev-a": 2, "dev-b": 1]) && link.written == 1_767_225_700)
        let known = try #require(
            try StoreFixture.list("documents", "docs").first {
                $0["name"] as? String == "symlink manifest v3"
            })
        let name = try #require(ObjectName(known.required("object_id")))
        let legacyName = try #require(ObjectName(known.required("legacy_object_id")))
        #expect(try manifest.naming(name, bytes) == .bytes)
        #expect(try manifest.naming(legacyName, bytes) == .content)
        #expect(try manifest.naming(.digest(.ofNothing), bytes) == nil)
        #expect(try manifest.naming(name, bytes + [0x0a]) == nil)
    }

    @Test func `a manifest for a device has the name of the vectors`() throws {
        let device = try StoreFixture.text("documents", "per_device_v3", "manifest_text").utf8Bytes
        let name = try FileManifest.name(of: device)
        #expect(try name.text == StoreFixture.text("documents", "per_device_v3", "object_id"))
        guard case .file(let file) = try StoreManifest(parsing: device) else {
            Issue.record("not a file")
            return
        }
        #expect(file.version == 3 && file.isEncrypted && file.wrappedKey == nil && file.size == 17)
    }

    @Test func `lines of names are read, with or without the last line break`() throws {
        let bytes = try StoreFixture.document("manifest v1 text (read only)")
        for bytes in [bytes, Array(bytes.dropLast())] {
            guard case .chunks(let chunks) = try StoreManifest(parsing: bytes) else {
                Issue.record("not of chunks")
                return
            }
            #expect(
                chunks.map(\.text) == [String(repeating: "1", count: 64), String(repeating: "2", count: 64)])
        }
        for text in ["", "\n", "a/b\n", "..\n", "abc\n \n", "\n{x\n", "abc\n\n", "a\u{1}\n", "abc\r\n"] {
            #expect(throws: ContentStoreError.self, "\(text)") { try StoreManifest(parsing: text.utf8Bytes) }
        }
    }

    // MARK: Own values

    private static func sample() -> FileManifest {
        FileManifest(
            content: .ofNothing, size: 5, chunks: [.digest(.ofNothing), .digest(.ofNothing)],
            clock: VectorClock(["b": 2, "a": .max, "B": 0]), device: "", written: .max,
            path: "ä \"quoted\" \\ \u{7f}\u{1}\n/x", mode: 0o100600,
            modified: ModificationTime(seconds: -1, nanoseconds: 999_999_999))
    }

    @Test func `text is escaped as serde does it, and devices are sorted by their bytes`() {
        let digest = ContentDigest.ofNothing.text
        let expected = """
            {
              "version": 2,
              "file_hash": "\(digest)",
              "file_size": 5,
              "chunks": [
                "\(digest)",
                "\(digest)"
              ],
              "vclock": {
                "clocks": {
                  "B": 0,
                  "a": 18446744073709551615,
                  "b": 2
                }
              },
              "written_by": "",
              "written_at": 18446744073709551615,
              "rel_path": "ä \\"quoted\\" \\\\ \u{7f}\\u0001\\n/x",
              "mode": 33152,
              "mtime": [
                -1,
                999999999
              ]
            }
            """
        #expect(Self.sample().encoded().text == expected)
    }

    @Test func `what is empty has no line break within it`() throws {
        let file = FileManifest(
            content: .ofNothing, size: 0, chunks: [], clock: VectorClock(), device: "d", written: 1, path: nil
        )
        let expected = """
            {
              "version": 2,
              "file_hash": "\(ContentDigest.ofNothing.text)",
              "file_size": 0,
              "chunks": [],
              "vclock": {
                "clocks": {}
              },
              "written_by": "d",
              "written_at": 1,
              "rel_path": null
            }
            """
        #expect(file.encoded().text == expected)
        #expect(try StoreManifest(parsing: file.encoded()) == .file(file))
    }

    @Test(arguments: [1, 2, .random(in: 3 ... .max)]) func `any manifest is read as it was written`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let file = RandomDocuments.file(&random)
            #expect(try StoreManifest(parsing: file.encoded()) == .file(file), "\(seed)")
            let link = LinkManifest(
                target: "t" + RandomDocuments.path(&random), clock: RandomDocuments.clock(&random),
                device: RandomDocuments.text(&random), written: random.next(),
                path: Bool.random(using: &random) ? nil : RandomDocuments.path(&random))
            #expect(try StoreManifest(parsing: link.encoded()) == .link(link), "\(seed)")
        }
    }

    @Test func `unknown fields and any spaces are ignored`() throws {
        let text = Self.sample().encoded().text
        let more = text.replacing(
            "\"version\"", with: "\"future\": {\"a\": [1, 2e5, {}]}, \"kind\": \"regular_file\", \"version\"")
        #expect(try StoreManifest(parsing: more.utf8Bytes) == .file(Self.sample()))
        let tight = text.replacing("\n", with: "").replacing("  ", with: "")
        #expect(try StoreManifest(parsing: tight.utf8Bytes) == .file(Self.sample()))
    }

    // MARK: Strangers

    @Test(arguments: [
        ("\"version\": 2", "\"version\": 1"), ("\"version\": 2", "\"version\": -2"),
        ("\"version\": 2", "\"version\": 2.0"),
        ("\"version\": 2", "\"version\": \"2\""), ("\"version\": 2", "\"version\": 3"),
        ("\"version\": 2", "\"version\": 2, \"version\": 2"), ("\"version\": 2", "\"versio\": 2"),
        ("\"version\": 2", "\"version\": 2, \"kind\": \"symlink\""),
        ("\"version\": 2", "\"version\": 2, \"kind\": \"device\""),
        ("\"file_size\": 5", "\"file_size\": -5"), ("\"file_size\": 5", "\"file_size\": 1"),
        ("\"file_size\": 5", "\"file_size\": 18446744073709551615"),
        ("\"file_size\": 5", "\"file_size\": 5e0"),
        ("\"file_size\": 5", "\"file_size\": null"), ("\"file_hash\": \"a", "\"file_hash\": \"A"),
        ("\"file_hash\": \"a", "\"file_hash\": \""), ("\"chunks\": [", "\"chunks\": [\"../x\","),
        ("\"chunks\": [", "\"chunks\": [\"\","), ("\"chunks\": [", "\"chunks\": [1,"),
        ("\"chunks\": [", "\"chunk\": ["),
        ("\"a\": 18446744073709551615", "\"a\": 18446744073709551616"),
        ("\"a\": 18446744073709551615", "\"a\": -1"),
        ("\"B\": 0", "\"a\": 0"), ("\"clocks\"", "\"clock\""), ("\"mode\": 33152", "\"mode\": 4294967296"),
        ("999999999", "1000000000"), ("-1,", ""), ("-1,", "-1, 0,"),
        ("\"written_by\": \"\"", "\"written_by\": null"),
        ("\"written_at\"", "\"written_by\": \"\", \"written_at\""),
        ("\"mtime\": [", "\"mtime\": 5, \"x\": ["),
        ("\"mode\"", "\"wrapped_file_keys\": 1, \"mode\""),
        ("\"mode\"", "\"wrapped_file_keys\": [1], \"mode\""),
        ("\"mode\"", "\"wrapped_file_keys\": [{}], \"mode\""),
        ("\"mode\"", "\"encrypted_file_key\": 1, \"mode\""),
        ("{\n  \"v", "{\n ,\"v"), ("\n}", "\n}}"),
    ])
    func `a manifest that contradicts itself is damaged`(part: String, other: String) throws {
        let text = Self.sample().encoded().text
        let changed = text.replacing(part, with: other, maxReplacements: 1)
        #expect(changed != text)
        let error = #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: changed.utf8Bytes) }
        #expect(error?.kind == .damaged, "\(String(describing: error))")
    }

    @Test func `a newer manifest is not damaged`() {
        let text = Self.sample().encoded().text.replacing("\"version\": 2", with: "\"version\": 4")
        let error = #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: text.utf8Bytes) }
        #expect(error?.code == .newer && error?.remedy == .updateProgram)
    }

    @Test(arguments: ["", "a\nb", "x\u{0}", "\u{85}", String(repeating: "a", count: 4097)])
    func `no link points to nothing, or to control characters`(target: String) {
        let link = LinkManifest(target: target, clock: VectorClock(), device: "", written: 0, path: nil)
        #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: link.encoded()) }
    }

    @Test func `too many chunks and levels are refused`() throws {
        let most = StoreManifest.mostChunks
        let names = String(repeating: "\"a\",", count: most + 1).dropLast()
        let digest = ContentDigest.ofNothing.text
        let text = "{\"version\":2,\"file_hash\":\"\(digest)\",\"file_size\":9000000,\"chunks\":[\(names)]}"
        let error = #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: text.utf8Bytes) }
        #expect(error?.kind == .unsupported)
        let lines = String(repeating: "x\n", count: most + 1)
        #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: lines.utf8Bytes) }
        let large = [UInt8](repeating: UInt8(ascii: "{"), count: StoreManifest.mostBytes + 1)
        #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: large) }
        let deep = String(repeating: "{\"a\":", count: 100_000)
        #expect(throws: ContentStoreError.self) { try StoreManifest(parsing: deep.utf8Bytes) }
    }

    @Test(arguments: [1, .random(in: 2 ... .max)]) func `broken bytes are an error or a manifest`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let vectors = try Self.vectors()
        for _ in 0..<3000 {
            var bytes = try #require(vectors.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1:
                    bytes.removeSubrange(
                        place..<min(bytes.count, place + .random(in: 1...30, using: &random)))
                default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                }
                if bytes.isEmpty { bytes = [0x7b] }
            }
            do {
                let manifest = try StoreManifest(parsing: bytes)
                #expect(try StoreManifest(parsing: manifest.encoded()) == manifest, "\(seed)")
            } catch {
                continue
            }
        }
    }
}
