import Foundation
import Testing
import ValiseEncoding

struct Base64Tests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of the standard`(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
    }

    @Test func `all bytes are as Foundation has them`() {
        for count in [1, 255, 256, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
        }
    }
}
