/// What a sample account holds.
public struct SampleReport: Sendable, Equatable {
    /// User profiles, the hidden one with them.
    public var users = 0
    /// Contacts of all users, without the users' own rows.
    public var contacts = 0
    public var groups = 0
    /// Items of all chats, events with them.
    public var messages = 0
    /// Files in the media folder.
    public var files = 0
    /// Of these files, before encryption.
    public var mediaBytes: Int64 = 0
}
