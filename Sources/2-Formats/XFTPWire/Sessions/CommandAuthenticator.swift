import ValiseCryptography
import ValiseSecrets

/// What authorizes a command, told apart by its length (XFTP fact sheet, §4.3 and §4.4).
enum CommandAuthenticator {
    /// None, Ed25519, X25519, Ed448. Anything else is no transmission.
    static let sizes: Set<Int> = [0, 64, 80, 114]

    /// Nil for lengths that are none's.
    static func algorithm(of authenticator: [UInt8]) -> PublicKey.Algorithm? {
        PublicKey.Algorithm.allCases.first { $0.authenticatorByteCount == authenticator.count }
    }

    /// The keys that stand for names that there are not. The official relay has the same; nobody knows their other halves.
    static func dummy(_ algorithm: PublicKey.Algorithm) -> PublicKey {
        PublicKey(algorithm, dummyBytes(algorithm))
    }

    private static func dummyBytes(_ algorithm: PublicKey.Algorithm) -> [UInt8] {
        switch algorithm {
        case .ed25519:
            [
                0xD7, 0x7F, 0x4E, 0xAA, 0xCE, 0x10, 0x82, 0x9A, 0x9B, 0x02, 0x60, 0x74, 0xA3, 0xBA, 0xD9,
                0x7F,
                0xA4, 0xF5, 0xF6, 0xBC, 0xA5, 0xEC, 0x4E, 0xB9, 0x93, 0x80, 0x18, 0x7B, 0x49, 0x04, 0xDD,
                0x0B,
            ]
        case .ed448:
            [
                0xEA, 0x26, 0xD0, 0x73, 0xD5, 0xE9, 0x91, 0x22, 0xED, 0xC2, 0xB7, 0xFB, 0x3C, 0xBB, 0xE9,
                0xF3,
                0x5A, 0x96, 0xFD, 0xEB, 0x62, 0xBA, 0x67, 0x24, 0x54, 0x52, 0x26, 0x08, 0xC4, 0x5D, 0x7E,
                0xD7,
                0x06, 0xFD, 0x7A, 0x29, 0x6C, 0xE4, 0x9A, 0xAB, 0xDA, 0xB2, 0x2E, 0x1A, 0xE0, 0x25, 0x62,
                0x8E,
                0x2F, 0x23, 0x6B, 0x40, 0xF3, 0x55, 0xBE, 0x93, 0x00,
            ]
        case .x25519:
            [
                0xE0, 0x91, 0x92, 0x31, 0x88, 0x6D, 0xD7, 0xC1, 0xF8, 0x99, 0xAB, 0x3F, 0x8C, 0x77, 0x81,
                0xC1,
                0xF7, 0x0C, 0xEE, 0x32, 0xF0, 0x35, 0x82, 0x4D, 0x38, 0x08, 0x62, 0xDB, 0xF8, 0x38, 0x45,
                0x78,
            ]
        }
    }
}

extension PublicKey.Algorithm {
    /// Signatures, and 80 bytes for X25519.
    fileprivate var authenticatorByteCount: Int { signatureByteCount ?? CryptoBox.authenticatorByteCount }
}

extension RelaySession {
    /// Whether a key authorizes a request.
    ///
    /// Where there is no key, or one of another kind than the authenticator, one that nobody has is tried: the time
    /// that it takes does not tell whether there is such a name.
    /// - Parameters:
    ///   - request: with its authorization.
    ///   - key: what the relay keeps for the request's name, or the one in `FNEW`; nil for an unknown name.
    package func verify(_ request: AuthorizedRequest, key: PublicKey?) -> Bool {
        guard let algorithm = CommandAuthenticator.algorithm(of: request.authenticator) else { return false }
        let isOfKind = key?.algorithm == algorithm
        let key =
            isOfKind ? key ?? CommandAuthenticator.dummy(algorithm) : CommandAuthenticator.dummy(algorithm)
        return isAuthorized(request, by: key) && isOfKind
    }

    private func isAuthorized(_ request: AuthorizedRequest, by key: PublicKey) -> Bool {
        switch key.algorithm {
        case .ed25519:
            return Ed25519.verify(request.authenticator, of: request.authorized, publicKey: key.bytes)
        case .ed448:
            return Ed448.verify(request.authenticator, of: request.authorized, publicKey: key.bytes)
        case .x25519:
            guard let sessionKey, let secret = try? X25519.sharedSecret(sessionKey, with: key.bytes) else {
                return false
            }
            return CryptoBox.isAuthenticator(
                request.authenticator, of: request.authorized, secret: secret, nonce: request.correlationID)
        }
    }
}
