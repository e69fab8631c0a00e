import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

/// A key of a file that is wrapped for one device: a file of age (age-encryption.org/v1) of 32 bytes, with a stanza of X25519.
///
/// It is our own because it is small: some primitives in the right order. Files of age of another length are nothing that a
/// store contains.
enum AgeEnvelope {
    static let algorithm = "age-x25519-v1"
    private static let stanzaType = "X25519"
    /// age's own key of the file, in bytes.
    private static let innerSize = 16
    private static let nonceSize = 16
    private static let tagSize = ChaCha20Poly1305.tagByteCount
    private static let zeros = [UInt8](repeating: 0, count: ChaCha20Poly1305.nonceByteCount)
    /// That of the first chunk, which is the last one.
    private static let onlyChunk = [UInt8](repeating: 0, count: 11) + [1]
    /// The text of an envelope has some hundred characters.
    private static let mostCharacters = 64 << 10

    // MARK: Reading

    /// The wrapped key.
    ///
    /// - Parameters:
    ///   - text: with its armor.
    ///   - identity: of the device.
    /// - Throws: ``ContentStoreError``: `damaged` where it has another form or length, `wrongKey` where no stanza opens with the
    ///   identity; `CryptographyError`; `SecretsError`.
    static func open(_ text: String, with identity: AgeIdentity) throws -> ContentKey {
        guard text.utf8.count <= mostCharacters, let bytes = AgeArmor.decode(text),
            let header = AgeHeader(parsing: bytes)
        else { throw damaged }
        let content = bytes[header.size...]
        guard content.count == nonceSize + SecretSeed.byteCount + tagSize else { throw damaged }
        guard let inner = try innerKey(header, identity) else {
            throw ContentStoreError(.wrongKey, "the wrapped key of the file is not for this identity")
        }
        try checkCode(header, inner)
        let payloadKey = try derived(inner, salt: Array(content.prefix(nonceSize)), info: "payload")
        return ContentKey(
            try unsafe SecretSeed { memory in
                let isOpen = unsafe Array(content.dropFirst(nonceSize)).withUnsafeBytes { sealed in
                    unsafe ChaCha20Poly1305.open(sealed, into: memory, key: payloadKey, nonce: onlyChunk)
                }
                guard isOpen else { throw damaged }
            })
    }

    /// Nil where no stanza is for the identity.
    private static func innerKey(_ header: AgeHeader, _ identity: AgeIdentity) throws -> SharedSecret? {
        for stanza in header.stanzas where stanza.arguments.first == stanzaType {
            guard stanza.arguments.count == 2, stanza.body.count == innerSize + tagSize,
                let share = StrictBase64.decode(stanza.arguments[1].utf8, isPadded: false),
                share.count == X25519.publicKeyByteCount
            else { throw damaged }
            let key = try wrapKey(
                identity.secret, with: share, share: share, recipient: identity.publicKey)
            var isOpen = false
            let inner = try unsafe SecretBytes(capacity: innerSize) { memory in
                isOpen = unsafe stanza.body.withUnsafeBytes { sealed in
                    unsafe ChaCha20Poly1305.open(sealed, into: memory, key: key, nonce: zeros)
                }
                return memory.count
            }
            if isOpen { return SharedSecret(inner) }
        }
        return nil
    }

    private static func checkCode(_ header: AgeHeader, _ inner: SharedSecret) throws {
        let code = try authenticationCode(of: header.authenticated, inner)
        let claimed = try SecretBytes(copying: header.code)
        guard code.equals(claimed) else { throw damaged }
    }

    private static var damaged: ContentStoreError {
        ContentStoreError(.damaged, "the wrapped key of the file is damaged")
    }

    // MARK: Writing

    /// The key, wrapped for a device.
    /// - Parameters:
    ///   - key: what is wrapped.
    ///   - recipient: the device's public key, 32 bytes.
    /// - Throws: ``SodiumError`` for a public key that nothing can be encrypted for; `CryptographyError`; `SecretsError`.
    static func seal(_ key: ContentKey, for recipient: [UInt8]) throws -> String {
        let inner = SharedSecret(
            try unsafe SecretBytes(capacity: innerSize) { memory in
                let random = try SecretSeed()
                unsafe random.withBytes { unsafe memory.copyBytes(from: $0.prefix(innerSize)) }
                return memory.count
            })
        let ephemeral = try SecretSeed()
        let share = X25519.publicKey(of: ephemeral)
        let stanzaKey = try wrapKey(ephemeral, with: recipient, share: share, recipient: recipient)
        let body = unsafe inner.bytes.withBytes { unsafe seal($0, stanzaKey, zeros) }
        let lines = [
            "age-encryption.org/v1", "-> \(stanzaType) \(unpadded(share))", unpadded(body), "---",
        ]
        let header = Array(lines.joined(separator: "\n").utf8)
        let code = try authenticationCode(of: header, inner)
        let nonce = Array(XChaCha20Poly1305.randomNonce().prefix(nonceSize))
        let payloadKey = try derived(inner, salt: nonce, info: "payload")
        let content = unsafe key.secret.withBytes { unsafe seal($0, payloadKey, onlyChunk) }
        let codeText = unsafe code.withBytes { unsafe unpadded(Array($0)) }
        return AgeArmor.encode(header + Array(" \(codeText)\n".utf8) + nonce + content)
    }

    private static func seal(_ bytes: UnsafeRawBufferPointer, _ key: SecretSeed, _ nonce: [UInt8]) -> [UInt8]
    {
        var sealed = [UInt8](repeating: 0, count: bytes.count + tagSize)
        unsafe sealed.withUnsafeMutableBytes { sealed in
            unsafe ChaCha20Poly1305.seal(bytes, into: sealed, key: key, nonce: nonce)
        }
        return sealed
    }

    private static func unpadded(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).prefix { $0 != "=" })
    }

    // MARK: Keys

    private static func wrapKey(
        _ secret: SecretSeed, with publicKey: [UInt8], share: [UInt8], recipient: [UInt8]
    ) throws -> SecretSeed {
        try X25519.sharedSecret(secret, with: publicKey).derivedKey(
            salt: share + recipient, info: "age-encryption.org/v1/X25519")
    }

    private static func derived(_ inner: SharedSecret, salt: [UInt8], info: String) throws -> SecretSeed {
        try unsafe SecretSeed { key in
            try unsafe inner.bytes.withBytes {
                try unsafe HKDFSHA256.derive($0, salt: salt, info: info, into: key)
            }
        }
    }

    private static func authenticationCode(of header: [UInt8], _ inner: SharedSecret) throws -> SecretBytes {
        let key = try unsafe SecretBytes(capacity: SecretSeed.byteCount) { memory in
            try unsafe inner.bytes.withBytes {
                try unsafe HKDFSHA256.derive($0, info: "header", into: memory)
            }
            return memory.count
        }
        return try key.hmacSHA256(header)
    }
}
