/// What a sample account holds.
package struct SampleReport: Sendable, Equatable {
    /// User profiles, the hidden one with them.
    package var users = 0
    /// Contacts of all users, without the users' own rows.
    package var contacts = 0
    package var groups = 0
    /// Items of all chats, events with them.
    package var messages = 0
    /// Files in the media folder.
    package var files = 0
    /// Of these files, before encryption.
    package var mediaBytes: Int64 = 0
}
