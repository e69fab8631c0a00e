import ValiseCryptography
import ValiseEncoding

/// Replaces IDs of members and messages by others, the same ones within an export. Nobody can tell them from the real ones, or
/// two exports from each other, without the number that is drawn here and kept nowhere.
struct IdentifierRedactor {
    private let salt: [UInt8]

    private static let size = 12

    init() {
        var generator = SystemRandomNumberGenerator()
        salt = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// - Parameter text: an ID, or several with periods between them.
    func redacted(_ text: String) -> String {
        text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.isEmpty ? "" : Base64URL.encode(SHA256.hash(salt + Array(part.utf8)).prefix(Self.size))
        }.joined(separator: ".")
    }

    /// The key of a conversation; that of a row stays. In those of other programs is who it is with.
    func redacted(conversation key: String) -> String {
        guard ConversationKey(key) == nil else { return key }
        return "chat-\(redacted(key.replacing(".", with: "_")).lowercased())"
    }

    /// The key of an item; that of a row stays.
    func redacted(item key: String) -> String { key.hasPrefix("row-") ? key : redacted(key) }
}
