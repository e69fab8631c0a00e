package import SystemPackage
import ValiseCryptography
package import ValiseFiles
package import ValiseSecrets

/// The private key of a device in the form of age: `AGE-SECRET-KEY-1…`, a key of X25519.
package struct AgeIdentity: Sendable {
    let secret: SecretSeed
    /// The public key, 32 bytes.
    let publicKey: [UInt8]

    private static let prefix = "age-secret-key-"
    /// Comments and blank lines may stand around the key.
    private static let mostBytes = 64 << 10

    private init(_ secret: SecretSeed) {
        self.secret = secret
        publicKey = X25519.publicKey(of: secret)
    }

    /// A new random one.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func random() throws -> AgeIdentity { AgeIdentity(try SecretSeed()) }

    /// What others wrap keys for: `age1…`.
    package var recipient: String { Bech32.encode(publicKey, prefix: "age") }

    /// The identity that a file holds as `age-keygen` writes it: lines that begin with `#`, empty ones, and one key.
    ///
    /// - Parameters:
    ///   - path: a regular file that belongs to the user, and that nobody else can read.
    ///   - fileSystem: what it is read by.
    /// - Throws: ``ContentStoreError``: `invalid` for another content; `FileError`; `SecretsError`.
    package static func read(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws -> AgeIdentity {
        let text = try SecretFile.read(
            path, what: "identity", mostBytes: mostBytes, fileSystem: fileSystem)
        do {
            return try AgeIdentity(text)
        } catch let error as ContentStoreError {
            throw error.naming(path.string)
        }
    }

    /// - Parameter text: the content of such a file.
    /// - Throws: ``ContentStoreError`` with `invalid` for another content; `SecretsError`.
    package init(_ text: borrowing SecretBytes) throws {
        let found = try unsafe text.withBytes { (text) throws -> SecretSeed? in
            let keys = unsafe Self.places(ofKeysIn: text)
            guard keys.count == 1, let key = keys.first else { return nil }
            return try unsafe Bech32.decode(
                UnsafeRawBufferPointer(rebasing: text[key]), prefix: Self.prefix)
        }
        guard let found else {
            throw ContentStoreError(.invalid, "the text is not one identity of age (AGE-SECRET-KEY-1…)")
        }
        self.init(found)
    }

    /// The lines that are neither empty nor comments.
    private static func places(ofKeysIn text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        for place in 0...text.count {
            let isEnd = unsafe place == text.count || text[place] == 0x0a || text[place] == 0x0d
            guard isEnd else { continue }
            if start < place, unsafe text[start] != UInt8(ascii: "#") { lines.append(start..<place) }
            start = place + 1
        }
        return lines
    }
}
