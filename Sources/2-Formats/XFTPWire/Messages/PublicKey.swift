/// A public key as relays store it: its kind and its raw bytes.
///
/// On the wire and in logs it is a SubjectPublicKeyInfo in DER (XFTP fact sheet, §10).
public struct PublicKey: Hashable, Sendable {
    /// What a key is for.
    public enum Algorithm: String, Sendable, CaseIterable {
        case ed25519
        case ed448
        case x25519

        /// Of a raw key, in bytes.
        public var byteCount: Int { self == .ed448 ? 57 : 32 }
    }

    public let algorithm: Algorithm
    /// The raw key, as many as its algorithm has.
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - algorithm: what the key is for.
    ///   - bytes: as many as the algorithm has.
    public init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        precondition(bytes.count == algorithm.byteCount, "a public key of another length")
        self.algorithm = algorithm
        self.bytes = bytes
    }
}
