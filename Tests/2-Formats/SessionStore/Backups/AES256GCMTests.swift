import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

/// AES-256-GCM, with the test cases 13, 14 and 15 of its authors (McGrew and Viega, "The Galois/Counter Mode of Operation").
struct AES256GCMTests {
    static let cases: [(key: String, nonce: String, plaintext: String, sealed: String)] = [
        (
            String(repeating: "00", count: 32), String(repeating: "00", count: 12), "",
            "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        (
            String(repeating: "00", count: 32), String(repeating: "00", count: 12),
            String(repeating: "00", count: 16),
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c"
        ),
    ]

    private func open(_ sealed: [UInt8], _ cipher: borrowing AES256GCM, _ nonce: [UInt8]) -> [UInt8]? {
        var plaintext = [UInt8](repeating: 1, count: max(0, sealed.count - 16))
        let isOpen = plaintext.withUnsafeMutableBytes { plaintext in
            sealed.withUnsafeBytes { sealed in
                nonce.withUnsafeBytes { cipher.open(sealed, into: plaintext, nonce: $0) }
            }
        }
        if !isOpen { #expect(plaintext.allSatisfy { $0 == 0 }) }
        return isOpen ? plaintext : nil
    }

    @Test(arguments: 0..<3) func `the published cases are sealed and opened`(_ index: Int) throws {
        let given = Self.cases[index]
        let cipher = try AES256GCM(key: SecretSeed(copying: #require(Hexadecimal.decode(given.key))))
        let nonce = try #require(Hexadecimal.decode(given.nonce))
        let plaintext = try #require(Hexadecimal.decode(given.plaintext))
        let sealed = try #require(Hexadecimal.decode(given.sealed))
        // Twice: what one call leaves behind must not show in the next.
        for _ in 0..<2 {
            #expect(try cipher.seal(plaintext, nonce: nonce) == sealed)
            #expect(open(sealed, cipher, nonce) == plaintext)
            for place in sealed.indices {
                var other = sealed
                other[place] ^= 0x10
                #expect(open(other, cipher, nonce) == nil)
            }
        }
        #expect(open(Array(sealed.dropLast()), cipher, nonce) == nil)
        #expect(throws: CryptographyError.self) { try cipher.seal(plaintext, nonce: [1]) }
    }
}
