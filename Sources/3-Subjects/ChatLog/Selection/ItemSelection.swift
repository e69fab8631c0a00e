package import ValiseEncoding

/// Which items of a conversation are wanted.
package struct ItemSelection: Sendable {
    /// Of this time or later.
    package var since: UTCTime?
    /// Earlier than this time.
    package var before: UTCTime?
    /// Of these kinds; empty for all.
    package var kinds: Set<ItemKind> = []
    /// Only those with a file.
    package var hasFile = false
    /// Only by whoever is called so, in any case of letters; `me` is the user.
    package var sender: String?
    /// Leaves out what its author or a moderator withdrew.
    package var leavesOutDeleted = false

    package init() {}

    /// Whether everything is wanted.
    package var isEverything: Bool {
        since == nil && before == nil && kinds.isEmpty && !hasFile && sender == nil && !leavesOutDeleted
    }

    /// Whether an item is wanted.
    package func contains(_ item: ConversationItem) -> Bool {
        if let since, item.time.value.map({ $0 < since }) ?? false { return false }
        if let before, item.time.value.map({ $0 >= before }) ?? false { return false }
        if !kinds.isEmpty, !kinds.contains(item.kind) { return false }
        if hasFile, item.file == nil { return false }
        if leavesOutDeleted, item.deletion?.isWithdrawn == true || item.kind == .removed { return false }
        guard let sender else { return true }
        return Self.matches(item.author, sender)
    }

    private static func matches(_ author: Participant, _ sender: String) -> Bool {
        if sender.lowercased() == Participant.selfKey { return author.isSelf }
        let (name, wanted) = (author.name.lowercased(), sender.lowercased())
        return name == wanted || author.key == sender || wanted.first == "@" && name == wanted.dropFirst()
    }
}
