import FaultInjection
import Foundation
import Testing
import ValiseEncoding

@testable import ValiseRepository

struct NodeNameTests {
    @Test func `names are quoted as restic quotes them`() throws {
        let names = try #require(try RecordFixture.json("names.json")["names"] as? [[String: String]])
        #expect(names.count > 200)
        for name in names {
            let bytes = try #require(Hexadecimal.decode(name["bytes"] ?? "-"))
            let quoted = try #require(name["quoted"])
            #expect(String(decoding: NodeName.quote(bytes), as: UTF8.self) == quoted)
            #expect(NodeName.unquote(Array(quoted.utf8)) == bytes)
        }
    }

    @Test func `each sequence of bytes comes back`() throws {
        let seed = CryptoFixture.seed("names of files")
        var random = SeededGenerator(seed: seed)
        let frequent: [UInt8] = [
            0xc3, 0xe2, 0x80, 0xa8, 0xf0, 0x9f, 0xed, 0xef, 0xbf, 0xbd, 0x5c, 0x22, 0x0a,
        ]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 1..<20, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : frequent[Int.random(in: 0..<frequent.count, using: &random)]
            }
            let quoted = NodeName.quote(bytes)
            #expect(NodeName.unquote(quoted) == bytes, "\(seed): \(bytes)")
            // It is text, of which nothing is lost in JSON.
            #expect(String(validating: quoted, as: UTF8.self) != nil)
            #expect(!quoted.contains { $0 < 0x20 || $0 == 0x7f })
        }
    }

    @Test func `each character comes back`() {
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            guard NodeName.unquote(NodeName.quote(bytes)) == bytes else {
                Issue.record("\(value)")
                continue
            }
        }
    }

    /// 149,186 of Unicode 15.0 without 170 of format, 16 spaces behind ASCII and two separators.
    @Test func `printable are all characters of Unicode 15 but spaces, controls and formats`() {
        #expect((UInt32(0)..<0x11_0000).count(where: NodeName.isPrintable) == 148_998)
    }

    @Test(arguments: [
        #"""#, #"a"b"#, #"\"#, #"\x"#, #"\x4"#, #"\xg0"#, #"\u123"#, #"\ud800"#, #"\U00110000"#, #"\q"#,
        #"\'"#, #"\400"#,
        #"\08"#, "a\nb",
    ])
    func `what is no quoted name is refused`(text: String) {
        #expect(NodeName.unquote(Array(text.utf8)) == nil)
    }

    @Test func `escapes that restic does not write are read`() {
        #expect(NodeName.unquote(#"\101\x42\u0043\U00000044\377"#.json) == [0x41, 0x42, 0x43, 0x44, 0xff])
    }

    @Test func `a name that reaches out of its folder is none of an entry`() {
        for name in ["", ".", "..", "/", "a/b", "../a", "a\u{0}"] {
            #expect(!NodeName.isEntry(Array(name.utf8)))
        }
        for name in ["a", "...", ".a", " ", "\\", "\u{202e}"] { #expect(NodeName.isEntry(Array(name.utf8))) }
    }
}
