import ValiseEncoding

/// What whoever may ask a server of this machine knows: 32 random bytes as text.
package struct AccessToken: Sendable {
    /// Characters that an address may have.
    package let text: String

    private static let size = 32

    /// A fresh one.
    package init() {
        let bytes = (0..<Self.size).map { _ in UInt8.random(in: .min ... .max) }
        text = String(Base64URL.encode(bytes).prefix { $0 != "=" })
    }

    /// Whether it is this. Takes as long wherever they differ.
    package func equals(_ other: some Collection<UInt8>) -> Bool {
        guard other.count == text.utf8.count else { return false }
        var difference: UInt8 = 0
        for (byte, own) in zip(other, text.utf8) { difference |= byte ^ own }
        return difference == 0
    }
}
