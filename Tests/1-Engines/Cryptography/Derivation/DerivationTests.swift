import Testing
import ValiseFailures
import ValiseSecrets

@testable import ValiseCryptography

/// Keys from passphrases and keys, and encryption under them that is the same each time.
struct DerivationTests {
    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    // MARK: Argon2id

    /// The first is one of libargon2's own; all were computed by argon2-cffi.
    @Test(arguments: [
        ("password", 2, 65536, 1, "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"),
        ("password", 1, 256, 3, "8d3d74c1a7d000f581c2b148a9d3a2603b5ecbd94ac266bbe69bc508c0000a51"),
        ("", 1, 64, 1, "1c52926f8d62e9fe93c74ac27f3e6fc68c8d5b09cd1f9b6272945209dafc3d76"),
    ])
    func `passphrases have the keys of others`(
        password: String, passes: UInt32, kibibytes: UInt32, lanes: UInt32, expected: String
    ) throws {
        let rule = Argon2id(passes: passes, kibibytes: kibibytes, lanes: lanes)
        let key = try rule.key(secret(password), salt: Array("somesalt".utf8))
        #expect(key.withBytes { hexadecimal($0) } == expected)
    }

    @Test(
        arguments: [
            (0, 64, 1, 8), (1, 7, 1, 8), (1, 31, 4, 8), (1, 64, 0, 8), (1, 1024, 65, 8), (1, 64, 1, 7),
            (1, .max, 1, 8),
        ] as [(UInt32, UInt32, UInt32, Int)])
    func `numbers that make no sense are refused`(passes: UInt32, kibibytes: UInt32, lanes: UInt32, salt: Int)
        throws
    {
        let rule = Argon2id(passes: passes, kibibytes: kibibytes, lanes: lanes)
        let error = #expect(throws: CryptographyError.self) {
            try rule.key(secret("x"), salt: [UInt8](repeating: 0, count: salt))
        }
        #expect(error?.code == .invalid)
    }

    @Test func `a library that cannot be loaded is named`() throws {
        let error = #expect(throws: CryptographyError.self) { try Argon2id.attempt("libvalise-none.so.1") }
        #expect(error?.code == .failed && error?.remedy == .installLibargon2)
        #expect(
            error?.message.hasPrefix("cannot load libargon2, which derives keys from passphrases: ") == true)
        #expect(throws: CryptographyError.self) { try Argon2id.attempt("libz.so.1") }
        try Argon2id.attempt("libargon2.so.1")
        try Argon2id.load()
    }

    // MARK: HKDF

    /// RFC 5869, A.3.
    @Test func `derived keys are those of the RFC`() throws {
        var key = [UInt8](repeating: 0, count: 42)
        try key.withUnsafeMutableBytes { key in
            try [UInt8](repeating: 0x0b, count: 22).withUnsafeBytes {
                try HKDFSHA256.derive($0, info: "", into: key)
            }
        }
        #expect(
            hexadecimal(key)
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    @Test func `salt and purpose count`() throws {
        let seed = try SecretSeed(copying: Array(0..<32))
        let derived = try seed.derivedKey(salt: Array("salt".utf8), info: "info")
        #expect(
            derived.withBytes { hexadecimal($0) }
                == "64cc2a23b7a1da4310420350405fdf5d632cb9bda3700d753e96cbcfeb81d449")
        #expect(try !derived.equals(seed.derivedKey(info: "info")))
        #expect(try !derived.equals(seed.derivedKey(salt: Array("salt".utf8), info: "inf")))
        #expect(
            try seed.derivedKey(info: "a").equals(
                seed.derivedKey(salt: [UInt8](repeating: 0, count: 32), info: "a")))
    }

    @Test func `a key that is too long is refused`() throws {
        var key = [UInt8](repeating: 0, count: 255 * 32 + 1)
        let error = #expect(throws: CryptographyError.self) {
            try key.withUnsafeMutableBytes { key in
                try [UInt8](repeating: 1, count: 32).withUnsafeBytes {
                    try HKDFSHA256.derive($0, info: "", into: key)
                }
            }
        }
        #expect(error?.code == .failed)
    }

    // MARK: AES-SIV

    /// Computed by the Python package cryptography.
    @Test(
        arguments: [
            (
                "plaintext", [Array("one".utf8), [], Array("three".utf8)],
                "f5ca4ad266ee5dd54a40b428bc17cb538e5e554ce6218c5035"
            ),
            ("x", [], "315fc8b42454cb95e5a7eb7a7da0cb02de"),
        ] as [(String, [[UInt8]], String)])
    func `names are encrypted as others do it`(text: String, additional: [[UInt8]], expected: String) throws {
        let cipher = try SyntheticCipher(key: SecretBytes(copying: Array(0..<64)))
        let sealed = try cipher.seal(Array(text.utf8), additional: additional)
        #expect(hexadecimal(sealed) == expected)
        #expect(try cipher.open(sealed, additional: additional) == Array(text.utf8))
        #expect(try cipher.open(sealed, additional: additional + [[]]) == nil)
        #expect(try cipher.open(Array(sealed.dropLast()), additional: additional) == nil)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(try cipher.open(changed, additional: additional) == nil)
        }
        let other = try SyntheticCipher(key: SecretBytes(copying: Array(1..<65)))
        #expect(try other.open(sealed, additional: additional) == nil)
    }

    @Test func `a key has 64 bytes, and nothing is not encrypted`() throws {
        for count in [0, 32, 63, 65] {
            let error = #expect(throws: CryptographyError.self) {
                try SyntheticCipher(key: SecretBytes(copying: [UInt8](repeating: 1, count: count)))
            }
            #expect(error?.code == .invalid)
        }
        let cipher = try SyntheticCipher(key: SecretBytes(copying: Array(0..<64)))
        #expect(throws: CryptographyError.self) { try cipher.seal([], additional: []) }
        #expect(try cipher.open([], additional: []) == nil)
        #expect(try cipher.open([UInt8](repeating: 0, count: 16), additional: []) == nil)
    }
}
