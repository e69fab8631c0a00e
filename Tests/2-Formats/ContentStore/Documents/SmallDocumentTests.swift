import FaultInjection
import Testing
import ValiseFailures
import ValiseStorage

@testable import ValiseContentStore

struct SmallDocumentTests {
    // MARK: Reservations

    @Test func `reservations are those of others, byte for byte`() throws {
        let store = try StoredFixture("store_main-2026-07_plain")
        let layout = StoreLayout(prefix: store.prefix)
        let stored = store.objects.filter { $0.key.contains("/.tcfs-namespace/") }
        var made: [String: [UInt8]] = [:]
        for path in store.files {
            for reservation in NamespaceReservation.all(for: try StorePath(path)) {
                made[try layout.reservation(reservation.name()).text] = reservation.encoded()
                #expect(try NamespaceReservation(parsing: reservation.encoded()) == reservation)
            }
        }
        #expect(made == stored && made.count == 7)
    }

    @Test func `names that differ in case have one reservation`() throws {
        let names = try ["Straße/A", "STRASSE/a", "strasse/A"].map {
            try NamespaceReservation(StorePath($0), .file).name()
        }
        #expect(Set(names).count == 1)
        #expect(
            NamespaceReservation.all(for: try StorePath("A/ß/c")).map {
                "\($0.path) \($0.path.folded) \($0.role)"
            }
                == ["A a directory", "A/ß a/ss directory", "A/ß/c a/ss/c file"])
    }

    @Test(arguments: [
        "", "{}", "{\"version\":1,\"exact_path\":\"../a\",\"folded_path\":\"a\",\"role\":\"file\"}",
        "{\"version\":1,\"exact_path\":\"a\",\"folded_path\":\"a\",\"role\":\"link\"}",
        "{\"version\":1,\"exact_path\":\"a\",\"role\":\"file\"}",
        "{\"version\":1,\"exact_path\":\"a\",\"folded_path\":\"\",\"role\":\"file\"}",
        "{\"version\":2,\"exact_path\":\"a\",\"folded_path\":\"a\",\"role\":\"file\"}",
    ])
    func `a reservation that is none is refused`(text: String) {
        #expect(throws: ContentStoreError.self) { try NamespaceReservation(parsing: text.utf8Bytes) }
    }

    // MARK: Placeholders

    @Test func `a placeholder is written again byte for byte`() throws {
        let bytes = try StoreFixture.document(".tc stub")
        let file = try PlaceholderFile(parsing: bytes)
        #expect(file.encoded().text == bytes.text)
        #expect(file.size == 10001 && file.chunks == 2 && !file.isFetched && !file.isCompressed)
        #expect(
            file.origin == "seaweedfs://store.example:8333/bucket/acct/demo"
                && file.content.text.hasPrefix("7cb3c2"))
    }

    @Test(arguments: [
        ("chunks 2", "chunks -2"), ("chunks 2", "chunks"), ("size 10001", "size x"),
        ("size 10001", "siz 10001"),
        ("oid blake3:7", "oid sha256:7"), ("oid blake3:7", "oid blake3:8a7"), ("fetched 0", "fetched 2"),
        ("version https", "version ftp"), ("version", "x 1\nx 2\nversion"), ("origin ", "origi "),
    ])
    func `a placeholder that is none is refused`(part: String, other: String) throws {
        let text = try StoreFixture.document(".tc stub").text
        let changed = text.replacing(part, with: other, maxReplacements: 1)
        #expect(changed != text)
        #expect(throws: ContentStoreError.self) { try PlaceholderFile(parsing: changed.utf8Bytes) }
    }

    // MARK: Writing

    @Test func `control characters are escaped as serde does it, and nothing else is`() {
        var writer = StoreDocumentWriter(isPretty: false)
        writer.text(String(String.UnicodeScalarView((0...0xff).compactMap { Unicode.Scalar($0 as Int) })))
        let expected =
            "\"" + (0..<8).map { "\\u000\($0)" }.joined() + "\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
            + (0..<10).map { "\\u001\($0)" }.joined()
            + ["a", "b", "c", "d", "e", "f"].map { "\\u001\($0)" }.joined()
        #expect(writer.bytes.text.hasPrefix(expected + " !\\\"#"))
        #expect(writer.bytes.text.contains("[\\\\]^"))
        #expect(
            writer.bytes.text.hasSuffix(
                "~\u{7f}"
                    + String(String.UnicodeScalarView((0x80...0xff).compactMap { Unicode.Scalar($0 as Int) }))
                    + "\""))
    }
}
