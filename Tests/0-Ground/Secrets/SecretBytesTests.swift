import Testing
import ValiseSecrets

struct SecretBytesTests {
    @Test func `keeps its bytes, and compares them`() throws {
        let one = try SecretBytes(copying: [1, 2, 3])
        let same = try SecretBytes(copying: [1, 2, 3])
        let other = try SecretBytes(copying: [1, 2, 4])
        let longer = try SecretBytes(copying: [1, 2, 3, 4])
        // The macro copies what it looks at; a secret cannot be copied.
        let bytes = one.withBytes { Array($0) }
        let answers = [one.equals(same), one.equals(other), one.equals(longer)]
        #expect(bytes == [1, 2, 3])
        #expect(answers == [true, false, false])
    }

    @Test func `a copy is its own, and nothing of it is printed`() throws {
        let copy = try SecretBytes(copying: Array("marker".utf8)).duplicate()
        let (bytes, text) = (copy.withBytes { Array($0) }, copy.describe())
        #expect(bytes == Array("marker".utf8))
        #expect(text == "<redacted>")
    }

    @Test func `copies share what is remembered of derived keys, and others do not`() throws {
        let forgetful = try SecretBytes(copying: [1])
        let secret = try forgetful.rememberingKeys()
        let (copy, second) = (
            SharedSecret(try secret.duplicate()), SharedSecret(try secret.rememberingKeys())
        )
        let foreign = try SecretBytes(copying: [1]).rememberingKeys()
        let derivation = KeyDerivation.sqlCipher4(salt: Array(0..<16))
        secret.derivedKeys?.remember(SharedSecret(try SecretBytes(copying: [7])), derivation)
        let other = KeyDerivation.sqlCipher4(salt: Array(1..<17))
        func key(_ secret: borrowing SecretBytes, _ derivation: KeyDerivation) -> [UInt8]? {
            secret.derivedKeys?.key(derivation)?.bytes.withBytes { Array($0) }
        }
        let known = (key(secret, derivation), key(copy.bytes, derivation), key(second.bytes, derivation))
        let unknown = (key(secret, other), key(foreign, derivation), forgetful.derivedKeys)
        #expect(known == ([7], [7], [7]))
        #expect(unknown.0 == nil && unknown.1 == nil && unknown.2 == nil)
    }

    @Test func `fills less than its capacity`() throws {
        let secret = try SecretBytes(capacity: 100) { memory in
            memory.copyBytes(from: [7, 8])
            return 2
        }
        let bytes = secret.withBytes { Array($0) }
        #expect(bytes == [7, 8])
    }

    @Test(arguments: [
        ("x'" + String(repeating: "0a", count: 32) + "'", true),
        ("X'" + String(repeating: "FF", count: 48) + "'", true),
        ("x'" + String(repeating: "0a", count: 31) + "'", false),
        ("x'" + String(repeating: "0g", count: 32) + "'", false),
        ("x\"" + String(repeating: "0a", count: 32) + "\"", false),
        ("correct horse", false), ("", false),
    ])
    func `tells the form of a raw key`(text: String, expected: Bool) throws {
        let answer = try SecretBytes(copying: Array(text.utf8)).looksLikeRawKey()
        #expect(answer == expected)
    }
}
