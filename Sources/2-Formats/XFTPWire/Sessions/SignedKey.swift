import ValiseFailures

/// A relay's key for one session, signed by its certificate's key (XFTP fact sheet, §3.2).
///
/// In DER it is `SEQUENCE { object, AlgorithmIdentifier, BIT STRING }`, and the signed object is the key's
/// SubjectPublicKeyInfo in one more SEQUENCE: the official decoder demands it.
package struct SignedKey: Hashable, Sendable {
    /// Of X25519.
    package let key: PublicKey
    /// Ed25519 or Ed448.
    package let algorithm: PublicKey.Algorithm
    /// Over ``object``: 64 or 114 bytes.
    package let signature: [UInt8]

    /// What is signed, 46 bytes.
    package var object: [UInt8] { Self.object(of: key) }

    /// - Parameters:
    ///   - key: of X25519.
    ///   - algorithm: of the key that signs.
    ///   - sign: makes the signature of the bytes that it gets.
    /// - Throws: ``XFTPWireError``: `invalid` for other keys or a signature of another length; whatever `sign` throws.
    package init(
        signing key: PublicKey, _ algorithm: PublicKey.Algorithm, by sign: ([UInt8]) throws -> [UInt8]
    ) throws {
        guard key.algorithm == .x25519 else {
            throw XFTPWireError(.invalid, "a session key must be X25519")
        }
        let signature = try sign(Self.object(of: key))
        guard signature.count == algorithm.signatureByteCount else {
            throw XFTPWireError(.invalid, "wrong signature length")
        }
        self.key = key
        self.algorithm = algorithm
        self.signature = signature
    }

    /// Reads it from DER.
    /// - Throws: ``XFTPWireError``: `damaged` for anything but a key of X25519 signed by Ed25519 or Ed448.
    package init(der: [UInt8]) throws(XFTPWireError) {
        for algorithm in [PublicKey.Algorithm.ed25519, .ed448] {
            // Only the key and the signature differ, and DER has one form for the rest.
            let frame = Self.frame(algorithm)
            guard der.count == frame.size, der.starts(with: frame.head) else { continue }
            let rest = der[frame.head.count...]
            guard rest.dropFirst(Self.objectSize).starts(with: frame.tail) else { continue }
            guard rest.starts(with: Self.wrapper) else { break }
            key = try PublicKey(spki: Array(rest.prefix(Self.objectSize).dropFirst(Self.wrapper.count)))
            guard key.algorithm == .x25519 else { break }
            signature = Array(rest.suffix(algorithm.signatureByteCount ?? 0))
            self.algorithm = algorithm
            return
        }
        throw XFTPWireError(.damaged, "not a signed X25519 key")
    }

    /// The key and its signature in DER.
    package var der: [UInt8] {
        let frame = Self.frame(algorithm)
        return frame.head + object + frame.tail + signature
    }

    // MARK: The parts that are always the same

    private static let wrapper: [UInt8] = [0x30, 0x2C]
    private static let objectSize = 46

    private static func object(of key: PublicKey) -> [UInt8] { wrapper + key.spki }

    /// What stands around object and signature.
    private static func frame(_ algorithm: PublicKey.Algorithm) -> (head: [UInt8], tail: [UInt8], size: Int) {
        let signature = algorithm.signatureByteCount ?? 0
        let tail = algorithm.identifier + [0x03, UInt8(signature + 1), 0x00]
        let content = objectSize + tail.count + signature
        let head: [UInt8] = content < 128 ? [0x30, UInt8(content)] : [0x30, 0x81, UInt8(content)]
        return (head, tail, head.count + content)
    }
}

extension PublicKey.Algorithm {
    /// Nil for X25519, which does not sign.
    var signatureByteCount: Int? {
        switch self {
        case .ed25519: 64
        case .ed448: 114
        case .x25519: nil
        }
    }
}
