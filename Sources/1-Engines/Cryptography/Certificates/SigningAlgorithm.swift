import CValiseOpenSSL

/// The signature algorithms of XFTP identities (fact sheet, §1.3).
package enum SigningAlgorithm: String, Sendable, CaseIterable, Codable {
    /// 32-byte keys, 64-byte signatures.
    case ed25519
    /// 57-byte keys, 114-byte signatures; what the official relay makes when it is not told otherwise.
    case ed448

    /// In bytes.
    package var publicKeySize: Int { self == .ed25519 ? 32 : 57 }

    /// In bytes.
    package var signatureSize: Int { self == .ed25519 ? 64 : 114 }

    var nid: Int32 { self == .ed25519 ? NID_ED25519 : NID_ED448 }

    /// Nil for a key of any other algorithm.
    init?(key: OpaquePointer) {
        switch unsafe EVP_PKEY_get_id(key) {
        case NID_ED25519: self = .ed25519
        case NID_ED448: self = .ed448
        default: return nil
        }
    }

    /// The raw public half of a key.
    func publicBytes(of key: OpaquePointer) throws(CertificateError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: publicKeySize)
        var size = bytes.count
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &size) == 1, size == bytes.count else {
            throw .library("read a public key")
        }
        return bytes
    }
}
