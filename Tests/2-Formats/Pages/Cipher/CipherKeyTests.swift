import Testing
import ValisePages
import ValiseSecrets

struct CipherKeyTests {
    private static let salt = (0..<16).map { UInt8($0) }

    private func raw(_ passphrase: String, _ settings: CipherSettings = .format4) throws -> String {
        let key = try CipherKey(
            passphrase: SecretBytes(copying: Array(passphrase.utf8)), salt: Self.salt, settings: settings)
        return try key.rawPassphrase().withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// From the fact sheet, checked there against a real file.
    @Test func `the key of format 4 is derived as SQLCipher does`() throws {
        let expected = "2c6ee106931bbdc6ea7e33497f04526ccbe4fb541379d36a506a65eabed0d8e2"
        #expect(
            try raw("correct horse battery staple") == "x'\(expected)000102030405060708090a0b0c0d0e0f'")
    }

    @Test func `a raw key is the key itself`() throws {
        let digits = String(repeating: "5a", count: 32)
        #expect(try raw("x'\(digits)'") == "x'\(digits)000102030405060708090a0b0c0d0e0f'")
        #expect(try raw("X'\(digits.uppercased())'") == "x'\(digits)000102030405060708090a0b0c0d0e0f'")
    }

    @Test func `a raw key with a salt brings its own salt`() throws {
        let digits = String(repeating: "5a", count: 32) + String(repeating: "c3", count: 16)
        #expect(try raw("x'\(digits)'") == "x'\(digits)'")
    }

    @Test func `what only looks like a raw key is derived from`() throws {
        let almost = "x'" + String(repeating: "5a", count: 31) + "5g'"
        #expect(try !raw(almost, .format2).contains("5a5a5a5a"))
        #expect(try !raw("x'" + String(repeating: "5a", count: 31) + "'", .format2).contains("5a5a5a5a"))
    }
}
