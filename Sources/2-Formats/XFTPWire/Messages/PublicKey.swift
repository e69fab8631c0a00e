/// A public key as relays store it: its kind and its raw bytes.
///
/// On the wire and in logs it is a SubjectPublicKeyInfo in DER (XFTP fact sheet, §10).
package struct PublicKey: Hashable, Sendable {
    /// What a key is for.
    package enum Algorithm: String, Sendable, CaseIterable {
        case ed25519
        case ed448
        case x25519

        /// Of a raw key, in bytes.
        package var byteCount: Int { self == .ed448 ? 57 : 32 }
    }

    package let algorithm: Algorithm
    /// The raw key, as many as its algorithm has.
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - algorithm: what the key is for.
    ///   - bytes: as many as the algorithm has.
    package init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        precondition(bytes.count == algorithm.byteCount, "wrong public key length")
        self.algorithm = algorithm
        self.bytes = bytes
    }
}
