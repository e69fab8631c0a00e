public import ValiseMediaRules

/// A selection of an account's media.
public struct MediaSelection: Sendable, Codable {
    /// Chats by name (`@name` for a contact, `#name` for a group, `*` for the notes, or a bare name of either);
    /// empty for all.
    package var chats: [String]
    /// Kinds; empty for all.
    package var kinds: Set<MediaKind>
    /// Items of this time and later, in seconds since 1970.
    package var since: Int64?
    /// Items before this time, in seconds since 1970.
    package var before: Int64?
    /// In bytes of content.
    package var smallest: Int64?
    /// In bytes of content.
    package var largest: Int64?

    /// Without parameters, everything.
    ///
    /// - Parameters:
    ///   - chats: by name (`@name` for a contact, `#name` for a group, `*` for the notes, or a bare name of either); empty for
    ///     all.
    ///   - kinds: which kinds of media; empty for all.
    ///   - since: the time of the first items, in seconds since 1970.
    ///   - before: the time that all items are before, in seconds since 1970.
    ///   - smallest: the least bytes of content.
    ///   - largest: the most bytes of content.
    public init(
        chats: [String] = [], kinds: Set<MediaKind> = [], since: Int64? = nil, before: Int64? = nil,
        smallest: Int64? = nil, largest: Int64? = nil
    ) {
        self.chats = chats
        self.kinds = kinds
        self.since = since
        self.before = before
        self.smallest = smallest
        self.largest = largest
    }
}
