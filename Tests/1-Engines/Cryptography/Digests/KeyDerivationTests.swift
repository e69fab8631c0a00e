import CValiseOpenSSL
import FaultInjection
import Testing
import ValiseCryptography
import ValiseSecrets

/// Keys of passphrases.
struct KeyDerivationTests {
    /// As libcrypto derives it.
    private static func key(_ password: [UInt8], _ salt: [UInt8], _ iterations: Int, size: Int) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: size)
        password.withUnsafeBytes { bytes in
            _ = PKCS5_PBKDF2_HMAC(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), salt,
                Int32(salt.count), Int32(iterations), EVP_get_digestbyname("SHA512"), Int32(size), &key)
        }
        return key
    }

    @Test func `keys of all lengths of passphrases and salts are those of libcrypto`() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("keys: VALISE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        // Around the block of the hash, where a passphrase becomes its digest; salts longer than any of our formats has.
        for length in Array(1...5) + [63, 64, 65, 111, 112, 127, 128, 129, 200, 1000] {
            for saltSize in [1, 8, 16, 32, 63, 64, 65, 130] {
                let (password, salt) = (bytes(length), bytes(saltSize))
                let (iterations, size) = (
                    Int.random(in: 1...9, using: &generator),
                    [1, 32, 63, 64, 65, 100].randomElement(using: &generator)!
                )
                let secret = try SecretBytes(copying: password)
                let derived = try secret.derivedKey(
                    KeyDerivation(hash: "SHA512", iterations: iterations, salt: salt), size: size)
                #expect(
                    derived.bytes.withBytes { Array($0) } == Self.key(password, salt, iterations, size: size),
                    "\(length), \(saltSize), \(iterations), \(size)")
            }
        }
    }

    @Test func `no iterations, or fewer, are refused`() throws {
        let secret = try SecretBytes(copying: Array("a passphrase".utf8))
        for iterations in [0, -1, Int.min, Int.max] {
            #expect(throws: SecretsError.self) {
                _ = try secret.derivedKey(
                    KeyDerivation(hash: "SHA512", iterations: iterations, salt: [1]), size: 32)
            }
        }
    }
}
