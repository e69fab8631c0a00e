package import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

/// Keys that tcfs derives from the master key and encrypted names, which no program of tcfs uses at the studied versions.
package struct NameCipher: Sendable {
    private let cipher: SyntheticCipher
    /// What is authenticated before the name: nothing, then a nonce of zeros.
    private static let additional: [[UInt8]] = [[], [UInt8](repeating: 0, count: 16)]

    /// - Throws: `CryptographyError`; `SecretsError`.
    package init(_ key: StoreKey) throws { try self.init(nameKey: key.nameKey()) }

    init(nameKey: SecretSeed) throws {
        let key = try unsafe SecretBytes(capacity: SyntheticCipher.keyByteCount) { memory in
            try unsafe nameKey.withBytes {
                try unsafe HKDFSHA256.derive($0, info: "tcfs-name-aes-siv", into: memory)
            }
            return memory.count
        }
        cipher = try SyntheticCipher(key: key)
    }

    /// The encrypted form of one component of a path: the vector and the bytes in hexadecimal digits.
    /// - Throws: `CryptographyError`: `invalid` for an empty name, `failed`.
    package func encrypt(_ name: String) throws(CryptographyError) -> String {
        Hexadecimal.encode(try cipher.seal(Array(name.utf8), additional: Self.additional))
    }

    /// The name.
    /// - Throws: ``ContentStoreError``: `wrongKey` where it does not open with this key; `CryptographyError`.
    package func decrypt(_ text: String) throws -> String {
        guard let sealed = Hexadecimal.decode(text),
            let bytes = try cipher.open(sealed, additional: Self.additional),
            let name = String(validating: bytes, as: UTF8.self)
        else { throw ContentStoreError(.wrongKey, "the encrypted name does not open with this key") }
        return name
    }
}

extension StoreKey {
    /// - Throws: `CryptographyError`; `SecretsError`.
    func manifestKey() throws -> SecretSeed { try secret.derivedKey(info: "tcfs-manifest") }

    /// - Throws: `CryptographyError`; `SecretsError`.
    func nameKey() throws -> SecretSeed { try secret.derivedKey(info: "tcfs-names") }
}
