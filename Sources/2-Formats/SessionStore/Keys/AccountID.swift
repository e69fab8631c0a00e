import ValiseEncoding

/// What others call an account of Session: `05` and the key of X25519, 66 hexadecimal digits (fact sheet of Session, §5).
package struct AccountID: Sendable, Hashable, CustomStringConvertible {
    /// The first byte.
    package static let prefix: UInt8 = 0x05
    /// Prefix and key, in bytes.
    package static let byteCount = 33

    /// 33 bytes.
    package let bytes: [UInt8]

    /// - Parameter bytes: prefix and key.
    /// - Returns: nil where they are another length or have another prefix.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, bytes.first == Self.prefix else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads 66 hexadecimal digits of either case.
    /// - Returns: nil where they are something else.
    package init?(text: String) {
        guard text.utf8.count == Self.byteCount * 2, let bytes = Hexadecimal.decode(text) else { return nil }
        self.init(bytes)
    }

    /// The key of X25519, 32 bytes.
    package var agreementKey: [UInt8] { Array(bytes.dropFirst()) }

    /// 66 digits in lower case.
    package var description: String { Hexadecimal.encode(bytes) }
}
