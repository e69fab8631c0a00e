import ValiseCryptography
package import ValiseSecrets

/// A configuration as devices exchange it, decrypted and unpacked: a dictionary of bt-encoding.
package struct ConfigMessage: Sendable {
    /// What the signature says.
    package enum Signature: Sendable, Hashable {
        /// There is none, as in dumps and in the account's own configurations.
        case none
        case valid
        /// Of another key, or of other content.
        case invalid
    }

    /// As it was.
    package let raw: BencodeBytes
    package let tree: BencodeDictionary

    /// What a signed dictionary of bt-encoding has as its last key: no other that is printed comes behind it. The fact sheet
    /// does not name it.
    private static let signatureKey = "~"

    /// - Throws: ``SessionStoreError``: `damaged` for what is no dictionary, `unsupported` for what exceeds a limit.
    package init(
        parsing raw: BencodeBytes, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        guard case .dictionary(let tree) = try BencodeValue(parsing: raw, limits: limits) else {
            throw SessionStoreError(.damaged, "a configuration is no dictionary")
        }
        (self.raw, self.tree) = (raw, tree)
    }

    /// - Throws: as ``init(parsing:limits:)``.
    package init(
        parsing raw: SharedSecret, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        try self.init(parsing: BencodeBytes(raw, 0..<raw.bytes.count), limits: limits)
    }

    /// Verifies the signature, which covers all bytes before its key.
    /// - Parameter publicKey: of Ed25519, 32 bytes, such as that of the group.
    package func signature(by publicKey: [UInt8]) -> Signature {
        guard let last = tree.entries.last, last.key == Array(Self.signatureKey.utf8) else { return .none }
        guard case .bytes(let signature) = last.value, signature.count == Ed25519.signatureByteCount else {
            return .invalid
        }
        // There is one form of the entry and of the end, so their length is known.
        let tail = "1:\(Self.signatureKey)\(signature.count):".utf8.count + signature.count + 1
        let isValid = unsafe raw.withBytes { bytes in
            unsafe Ed25519.verify(
                signature.revealed(),
                of: UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - tail)]), publicKey: publicKey)
        }
        return isValid ? .valid : .invalid
    }
}
