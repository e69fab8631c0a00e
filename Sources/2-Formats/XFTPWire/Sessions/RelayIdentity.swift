package import ValiseCryptography
import ValiseFailures

/// Who a relay is: its certificates, and the key that signs for them.
package struct RelayIdentity: Sendable {
    /// In DER: its own, then the identity's.
    let certificates: [[UInt8]]
    /// SHA-256 of the identity's certificate: what clients have in the relay's address.
    package let fingerprint: [UInt8]
    private let algorithm: PublicKey.Algorithm
    private let signature: @Sendable ([UInt8]) throws -> [UInt8]

    /// - Parameters:
    ///   - chain: what the relay shows in TLS. Clients take exactly two certificates.
    ///   - key: that of the first of them.
    /// - Throws: ``XFTPWireError``: `unsupported` for a chain of another length, and for a key that is neither of Ed25519
    ///   nor of Ed448; `invalid` for a key of another certificate.
    package init(_ chain: [Certificate], key: SigningKey) throws(XFTPWireError) {
        guard chain.count == 2 else {
            throw XFTPWireError(
                .unsupported, "expected the relay's certificate and its identity's, got \(chain.count)")
        }
        guard let algorithm = key.algorithm else {
            throw XFTPWireError(.unsupported, "only Ed25519 and Ed448 keys can sign for a relay")
        }
        guard chain[0].belongs(to: key) else {
            throw XFTPWireError(.invalid, "the key does not match the relay's certificate")
        }
        self.init(
            certificates: chain.map(\.der), fingerprint: chain[1].fingerprint,
            algorithm == .ed25519 ? .ed25519 : .ed448
        ) { try key.sign($0) }
    }

    /// - Parameter signature: makes signatures with the key of the first certificate.
    init(
        certificates: [[UInt8]], fingerprint: [UInt8], _ algorithm: PublicKey.Algorithm,
        signature: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.certificates = certificates
        self.fingerprint = fingerprint
        self.algorithm = algorithm
        self.signature = signature
    }

    func sign(_ bytes: [UInt8]) throws -> [UInt8] { try signature(bytes) }

    func sign(_ key: PublicKey) throws -> SignedKey {
        try SignedKey(signing: key, algorithm, by: signature)
    }
}
