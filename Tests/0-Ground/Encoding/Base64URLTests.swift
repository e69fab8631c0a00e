import Testing
import ValiseEncoding

/// Base 64 as links and descriptions have it.
struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]) func `the examples of RFC 4648`(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
        #expect(Base64URL.decode(encoded.replacing("=", with: "")) == Array(text.utf8))
    }

    @Test func `the alphabet is that of URLs`() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
    }

    @Test(arguments: [
        "A", "AA=", "AAA==", "AAAA=", "AAAA==", "AB==", "AAB=", "+A==", "/A==", "A A=", "====", "Zg==Zg==",
    ])
    func `what is no such text is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `all bytes and lengths come back`() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test func `memory is neither overrun nor filled with what is no text`() {
        var available = [UInt8](repeating: 7, count: 3)
        let text = Array("AQIDBA==".utf8)
        let count = text.withUnsafeBytes { text in
            available.withUnsafeMutableBytes { Base64URL.decode(text, into: $0) }
        }
        #expect(count == nil)
        #expect(available == [7, 7, 7])
        let fitting = text[..<4].withUnsafeBytes { text in
            available.withUnsafeMutableBytes { Base64URL.decode(text, into: $0) }
        }
        #expect(fitting == 3)
        #expect(available == [1, 2, 3])
    }
}
