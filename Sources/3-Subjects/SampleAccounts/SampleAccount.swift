import SystemPackage
package import ValiseAccounts
import ValiseDatabase
package import ValiseFiles
import ValiseMaintenance
package import ValiseSecrets

/// Builds an account with something of everything that a reader of SimpleX's databases can meet.
///
/// The same options give the same rows and the same media; only what SQLCipher itself adds differs.
package struct SampleAccount {
    /// Which media files are CryptoFiles.
    package enum MediaEncryption: String, Sendable, CaseIterable {
        /// Every second one.
        case mixed
        case encrypted
        case unencrypted = "plain"
    }

    /// How large the account gets, and which one of its kind it is.
    package struct Options: Sendable {
        /// Items in all chats, events with them; each bulk file adds one more.
        package var messages: Int
        /// Bytes of bulk media, in addition to the small files of the messages.
        package var mediaBytes: Int64
        /// The size of each large file in bytes; nil for sizes that differ, up to 8 MiB.
        package var mediaSize: Int?
        /// Another seed gives other text, times and keys in an account of the same make.
        package var seed: UInt64
        package var mediaEncryption: MediaEncryption
        /// At least so many items of conversations that have every kind of item, of people and of chats, behind the
        /// others; 0 for none. Even one makes a whole round of all kinds.
        package var conversations: Int

        package init(
            messages: Int = 400, mediaBytes: Int64 = 0, seed: UInt64 = 1,
            mediaEncryption: MediaEncryption = .mixed, mediaSize: Int? = nil, conversations: Int = 0
        ) {
            self.messages = messages
            self.conversations = conversations
            self.mediaBytes = mediaBytes
            self.mediaSize = mediaSize
            self.seed = seed
            self.mediaEncryption = mediaEncryption
        }
    }

    private let options: Options
    private let fileSystem: FileSystem

    package init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Creates the account and fills it. Not one operation: a failure leaves a part of the account behind.
    ///
    /// - Parameters:
    ///   - location: must hold no account yet.
    ///   - passphrase: of both databases; empty for none.
    /// - Throws: ``AccountError``: `alreadyExists`, `inUse`; ``DatabaseError``; ``FileError``.
    @discardableResult
    package func build(
        _ location: AccountLocation, passphrase: borrowing SecretBytes
    ) throws -> SampleReport {
        try AccountCreation(fileSystem: fileSystem).create(location, passphrase: passphrase)
        let chat = try SampleDatabase(location.path(of: .chat), passphrase: passphrase)
        let agent = try SampleDatabase(location.path(of: .agent), passphrase: passphrase)
        let people = try PeopleWriter(chat, seed: options.seed).write()
        let groups = try GroupsWriter(chat, seed: options.seed).write()
        try ConnectionsWriter(chat, agent, seed: options.seed).write(people, groups)
        try SettingsWriter(chat, agent, seed: options.seed).write()
        let media = try MediaWriter(
            SampleMediaFolder(location, options.mediaEncryption, options.seed, fileSystem), chat)
        let chats = SampleChats(people: people, groups: groups)
        let writer = try ItemsWriter(chat, chats, media, options)
        try writer.write()
        var report = SampleReport(
            users: SampleUser.all.count, contacts: people.count, groups: groups.count,
            messages: writer.count)
        if options.conversations > 0 {
            let cast = try CastWriter(chat, agent, seed: options.seed).write()
            let conversations = try ConversationsWriter(
                chat, ConversationPlaces(cast, people: people), media, seed: options.seed,
                first: writer.count + 1)
            try conversations.write(atLeast: options.conversations)
            report.users = SampleCast.users.count
            report.contacts += cast.contacts.count
            report.groups += cast.groups.count
            report.messages += conversations.count
        }
        try ChatTimes(chat).write()
        try chat.finish()
        try agent.finish()
        report.files = media.folder.files
        report.mediaBytes = media.folder.bytes
        return report
    }
}
