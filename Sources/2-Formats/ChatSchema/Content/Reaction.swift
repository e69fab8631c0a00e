import ValiseEncoding

/// A reaction to a message, as the column `reaction` has it.
package struct Reaction: Sendable, Hashable {
    /// As it is stored.
    package let text: String
    /// One of those that the apps know; nil for any other.
    package let emoji: String?

    /// Never fails: another reaction has no emoji.
    package init(parsing text: String) {
        self.text = text
        let node = JSONNode(parsing: text)
        let emoji = node?["type"]?.textValue == "emoji" ? node?["emoji"]?.textValue : nil
        self.emoji = emoji.flatMap { Self.known.contains($0) ? $0 : nil }
    }

    /// What the apps show.
    package var shown: String { emoji ?? "?" }

    private static let known: Set = ["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅"]
}
