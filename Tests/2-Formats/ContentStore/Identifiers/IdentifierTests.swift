import Testing
import ValiseEncoding

@testable import ValiseContentStore

struct IdentifierTests {
    @Test func `digests are those of others`() throws {
        let known = try StoreFixture.list("blake3", "plain")
        #expect(known.count == 13)
        for item in known {
            let bytes = (item["input_utf8"] as? String)?.utf8Bytes
            let digest = try ContentDigest(
                of: try bytes ?? StoreBytes.xorshift(seed: 0x9e37_79b9_7f4a_7c15, count: item.number("len")))
            #expect(try digest.text == item.required("hash"))
        }
        #expect(try ContentDigest(of: [UInt8]()) == .ofNothing)
    }

    @Test func `digests with a label are those of others`() throws {
        let known = try StoreFixture.list("blake3", "domain_separated")
        #expect(Set(known.compactMap { $0["label"] as? String }) == Set(DigestLabel.allCases.map(\.rawValue)))
        for item in known {
            let label = try #require(DigestLabel(rawValue: try item.required("label")))
            let digest = try label.digest(of: item.required("data_utf8").utf8Bytes)
            #expect(try digest.text == item.required("hash"))
        }
    }

    @Test func `a digest is its text and its bytes`() throws {
        let text = "00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210"
        let digest = try #require(ContentDigest(text: text))
        #expect(digest.text == text && digest.description == text)
        #expect(digest.bytes == Hexadecimal.decode(text))
        #expect(ContentDigest(digest.bytes) == digest)
        #expect(ContentDigest(Array(digest.bytes.dropLast())) == nil)
        let next = try #require(ContentDigest(text: String(text.dropLast()) + "1"))
        #expect(digest < next && !(next < digest) && digest != next)
    }

    @Test(arguments: [
        "", "ab", "00112233445566778899AABBCCDDEEFF0123456789abcdeffedcba9876543210",
        "0112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210",
        "000112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210",
        "00112233445566778899aabbccddeeff0123456789abcdeffedcba987654321g",
        " 0112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210",
    ])
    func `no other text is a digest`(text: String) { #expect(ContentDigest(text: text) == nil) }

    @Test func `names that lead out of their folder are refused`() throws {
        let bad = try #require(
            try StoreFixture.json("documents")["bad_chunk_ids_must_be_rejected"] as? [String])
        #expect(bad.count == 9)
        for name in bad + ["a\u{85}b", "\u{a0}x", "x\u{2003}", "a\nb", String(repeating: "a", count: 256)] {
            #expect(ObjectName(name) == nil, "\(name)")
        }
    }

    @Test(arguments: ["x", "chunk-1", "...", "a.b", "A", "ab cd", String(repeating: "A", count: 64)])
    func `another name is kept as it is`(name: String) throws {
        let parsed = try #require(ObjectName(name))
        #expect(parsed.text == name && parsed.digest == nil)
    }
}
