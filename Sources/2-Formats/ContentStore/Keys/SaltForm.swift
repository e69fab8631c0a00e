import ValiseEncoding

/// How a salt is written: the programs of tcfs read the same text in two ways, and derive different keys then.
package enum SaltForm: Hashable, Sendable {
    /// 32 hexadecimal digits, as command line and daemon read `crypto.kdf_salt` of their configuration.
    case hex(String)
    /// Any text, of which the first 16 bytes count: as the providers of macOS and iOS read `encryption_salt`. Digits are not
    /// decoded, and a shorter text has zeros behind it.
    case text(String)

    /// In bytes.
    package static let size = 16
    /// What the provider of macOS has where nothing is configured.
    package static let macOSDefault = SaltForm.text("tcfs-default-salt!")

    /// 16 bytes.
    /// - Throws: ``ContentStoreError`` with `invalid` where there are not 32 digits, or no text.
    package func bytes() throws(ContentStoreError) -> [UInt8] {
        switch self {
        case .hex(let digits):
            guard let bytes = Hexadecimal.decode(digits), bytes.count == Self.size else {
                throw ContentStoreError(.invalid, "the salt is not 32 hexadecimal digits")
            }
            return bytes
        case .text(let text):
            guard !text.isEmpty else { throw ContentStoreError(.invalid, "the salt is empty") }
            let bytes = text.utf8.prefix(Self.size)
            return bytes + [UInt8](repeating: 0, count: Self.size - bytes.count)
        }
    }
}
