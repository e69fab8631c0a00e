import ValiseFailures

extension PublicKey {
    /// The key as SubjectPublicKeyInfo in DER: 44 bytes, or 69 for Ed448.
    package var spki: [UInt8] { algorithm.prefix + bytes }

    /// Reads a SubjectPublicKeyInfo in DER.
    /// - Throws: ``XFTPWireError``: `damaged` for anything but a whole key of a kind that there is.
    package init(spki: [UInt8]) throws(XFTPWireError) {
        for algorithm in Algorithm.allCases {
            let prefix = algorithm.prefix
            guard spki.count == prefix.count + algorithm.byteCount, spki.starts(with: prefix) else {
                continue
            }
            self.init(algorithm, Array(spki[prefix.count...]))
            return
        }
        throw XFTPWireError(.damaged, "not an Ed25519, Ed448 or X25519 public key")
    }
}

extension PublicKey.Algorithm {
    /// The last byte of the algorithm's object identifier, 1.3.101 and this.
    private var arc: UInt8 {
        switch self {
        case .x25519: 110
        case .ed25519: 112
        case .ed448: 113
        }
    }

    /// AlgorithmIdentifier in DER, 7 bytes.
    var identifier: [UInt8] { [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, arc] }

    /// All of a SubjectPublicKeyInfo but the key. No length is over 127, so that each is one byte.
    fileprivate var prefix: [UInt8] {
        let bitString = UInt8(byteCount + 1)
        return [0x30, UInt8(identifier.count) + 2 + bitString] + identifier + [0x03, bitString, 0x00]
    }
}
