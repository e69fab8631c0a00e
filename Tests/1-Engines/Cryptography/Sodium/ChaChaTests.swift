import CValiseSodium
import Testing
import ValiseCryptography
import ValiseSecrets

/// The ciphers of stores and of age.
struct ChaChaTests {
    private let key: SecretSeed

    init() throws { key = try SecretSeed(copying: Array(0..<32)) }

    // MARK: XChaCha20-Poly1305

    /// draft-irtf-cfrg-xchacha, A.3.1.
    @Test func `what is sealed is the draft's`() throws {
        let text = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen \
            would be it.
            """
        let draftKey = try SecretSeed(copying: Array(0x80..<0xa0))
        let (nonce, additional) = (
            Array<UInt8>(0x40..<0x58), [0x50, 0x51, 0x52, 0x53] + Array<UInt8>(0xc0..<0xc8)
        )
        let sealed = XChaCha20Poly1305.seal(
            Array(text.utf8), key: draftKey, nonce: nonce, additional: additional)
        #expect(
            hexadecimal(sealed)
                == "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39"
                + "ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
                + "21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49")
        #expect(
            XChaCha20Poly1305.open(sealed, key: draftKey, nonce: nonce, additional: additional)
                == Array(text.utf8))
    }

    @Test func `whatever differs does not open`() throws {
        let nonce = XChaCha20Poly1305.randomNonce()
        let sealed = XChaCha20Poly1305.seal([1, 2, 3], key: key, nonce: nonce, additional: [4])
        #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, additional: [4]) == [1, 2, 3])
        #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce) == nil)
        #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, additional: [5]) == nil)
        #expect(
            XChaCha20Poly1305.open(sealed, key: key, nonce: Array(nonce.dropLast()), additional: [4]) == nil)
        #expect(XChaCha20Poly1305.open(sealed, key: try SecretSeed(), nonce: nonce, additional: [4]) == nil)
        for count in 0..<sealed.count {
            #expect(
                XChaCha20Poly1305.open(Array(sealed[..<count]), key: key, nonce: nonce, additional: [4])
                    == nil)
        }
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(XChaCha20Poly1305.open(changed, key: key, nonce: nonce, additional: [4]) == nil)
        }
    }

    @Test func `bytes are sealed and opened where they are`() {
        let nonce = XChaCha20Poly1305.randomNonce()
        let content = [UInt8](repeating: 9, count: 100_000)
        var memory = content + [UInt8](repeating: 0, count: 16)
        memory.withUnsafeMutableBytes { memory in
            let start = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<content.count])
            nonce.withUnsafeBytes { XChaCha20Poly1305.seal(start, into: memory, key: key, nonce: $0) }
        }
        #expect(memory == XChaCha20Poly1305.seal(content, key: key, nonce: nonce))
        let isOpen = memory.withUnsafeMutableBytes { memory in
            let target = UnsafeMutableRawBufferPointer(rebasing: memory[..<content.count])
            return nonce.withUnsafeBytes {
                XChaCha20Poly1305.open(UnsafeRawBufferPointer(memory), into: target, key: key, nonce: $0)
            }
        }
        #expect(isOpen && Array(memory.dropLast(16)) == content)
    }

    /// Long messages are sealed by another library than short ones.
    @Test(arguments: [16 << 10, 16 << 10 + 1, 100_003, 5 << 20])
    func `long messages are sealed as libsodium seals them`(count: Int) {
        for count in [count - 1, count] {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
            let (nonce, additional) = (XChaCha20Poly1305.randomNonce(), Array("file and place".utf8))
            var expected = [UInt8](repeating: 0, count: count + 16)
            let secret = [UInt8](0..<32)
            crypto_aead_xchacha20poly1305_ietf_encrypt(
                &expected, nil, content, UInt64(count), additional, UInt64(additional.count), nil, nonce,
                secret)
            let sealed = XChaCha20Poly1305.seal(content, key: key, nonce: nonce, additional: additional)
            #expect(sealed == expected)
            #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, additional: additional) == content)
            for place in [0, count / 2, count, count + 15] {
                var changed = sealed
                changed[place] ^= 0x80
                #expect(
                    XChaCha20Poly1305.open(changed, key: key, nonce: nonce, additional: additional) == nil)
            }
            #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, additional: []) == nil)
        }
    }

    @Test func `a long message that does not open leaves no plaintext`() {
        let nonce = XChaCha20Poly1305.randomNonce()
        var sealed = XChaCha20Poly1305.seal([UInt8](repeating: 9, count: 50_000), key: key, nonce: nonce)
        sealed[40_000] ^= 1
        var target = [UInt8](repeating: 1, count: 50_000)
        let isOpen = target.withUnsafeMutableBytes { target in
            sealed.withUnsafeBytes { sealed in
                nonce.withUnsafeBytes { XChaCha20Poly1305.open(sealed, into: target, key: key, nonce: $0) }
            }
        }
        #expect(!isOpen && target.allSatisfy { $0 == 0 })
    }

    @Test func `nothing can be sealed, too`() {
        let nonce = XChaCha20Poly1305.randomNonce()
        let sealed = XChaCha20Poly1305.seal([], key: key, nonce: nonce)
        #expect(sealed.count == 16 && XChaCha20Poly1305.open(sealed, key: key, nonce: nonce) == [])
    }

    // MARK: ChaCha20-Poly1305

    /// Computed by the Python package cryptography.
    @Test(arguments: [
        ("hello world", "e19e646c4637d22fc5ef5b18f74a8dd13d3bbce0be3ebb508fb959"),
        ("", "295a498b8841a1c5f55d4d606f731159"),
    ])
    func `the short nonce has the bytes of another program`(text: String, expected: String) {
        let bytes = Array(text.utf8)
        var sealed = [UInt8](repeating: 0, count: bytes.count + 16)
        sealed.withUnsafeMutableBytes { sealed in
            bytes.withUnsafeBytes { ChaCha20Poly1305.seal($0, into: sealed, key: key, nonce: Array(0..<12)) }
        }
        #expect(hexadecimal(sealed) == expected)
        func isOpen(_ sealed: [UInt8], _ nonce: [UInt8], count: Int) -> Bool {
            var opened = [UInt8](repeating: 0, count: count)
            let isOpen = opened.withUnsafeMutableBytes { opened in
                sealed.withUnsafeBytes { ChaCha20Poly1305.open($0, into: opened, key: key, nonce: nonce) }
            }
            return isOpen && opened == bytes
        }
        #expect(isOpen(sealed, Array(0..<12), count: bytes.count))
        #expect(!isOpen(sealed, Array(1..<13), count: bytes.count))
        #expect(!isOpen(sealed, Array(0..<11), count: bytes.count))
        #expect(!isOpen(sealed, Array(0..<12), count: bytes.count + 1))
        #expect(!isOpen(Array(sealed.dropLast()), Array(0..<12), count: bytes.count))
        sealed[0] ^= 1
        #expect(!isOpen(sealed, Array(0..<12), count: bytes.count))
    }
}
