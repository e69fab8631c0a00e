public import ValiseMediaRules

/// A selection of an account's media.
public struct MediaSelection: Sendable, Codable {
    /// Chats by name (`@name` for a contact, `#name` for a group, `*` for the notes, or a bare name of either);
    /// empty for all.
    public var chats: [String] = []
    /// Kinds; empty for all.
    public var kinds: Set<MediaKind> = []
    /// Items of this time and later, in seconds since 1970.
    public var since: Int64?
    /// Items before this time, in seconds since 1970.
    public var before: Int64?
    /// In bytes of content.
    public var smallest: Int64?
    /// In bytes of content.
    public var largest: Int64?

    /// Everything.
    public init() {}
}
