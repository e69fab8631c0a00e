package import SystemPackage
package import ValiseFiles
package import ValiseSecrets

/// An account of Session that is read, from whichever program's store.
///
/// Messages are lent one at a time: memory does not grow with their number. What was found damaged in one row is told, and the
/// rows behind it are read.
package protocol SessionStore: AnyObject {
    /// What is unusual about the store, and is no obstacle.
    var warnings: [SessionWarning] { get }

    /// Which version of its schema the store has.
    var version: SessionSchemaVersion { get }

    /// The account's own Session ID; nil where it is not stored.
    var ownID: String? { get }

    /// The folder of attachments: of a backup that is not extracted, what errors call it.
    var attachments: FilePath { get }

    /// The file of an attachment as it is stored, see ``SessionAttachment/Form``.
    /// - Throws: ``SessionStoreError``: `missing` where it was never received, or is gone; `damaged` for a path that leaves the
    ///   folder; `FileError`; errors of a backup's source.
    func content(of attachment: SessionAttachment) throws -> any ByteSource

    /// The key of attachments; nil where they are not encrypted, or no key is stored.
    /// - Throws: ``SessionStoreError`` with `damaged`; `SecretsError`.
    func attachmentKey() throws -> SecretSeed?

    /// The account's recovery password; nil where no key of the account is stored.
    /// - Throws: ``SessionStoreError`` with `damaged`; ``RecoveryPasswordError`` where the key has none; `SecretsError`.
    func recoveryPassword() throws -> RecoveryPassword?

    /// All who are known by name.
    /// - Parameters:
    ///   - damaged: receives what is wrong with a row that cannot be read; throw to stop.
    ///   - body: receives each; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever the closures throw.
    func forEachContact(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionContact) throws -> Void
    ) throws

    /// All conversations, the one that was used last first.
    /// - Parameters:
    ///   - counts: whether they tell how many messages they have, and when they began, for which all messages may be looked at.
    ///   - damaged: receives what is wrong with a row that cannot be read; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever `damaged` throws.
    func conversations(
        counts: Bool, damaged: (SessionStoreError) throws -> Void
    ) throws -> [SessionConversation]

    /// The messages of a conversation, the oldest first, expired ones too: see ``SessionMessage/isExpired(at:)``.
    /// - Parameters:
    ///   - conversation: its ID.
    ///   - choice: which of them.
    ///   - damaged: receives what is wrong with a row that cannot be read; throw to stop.
    ///   - body: receives each; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever the closures throw.
    func forEachMessage(
        of conversation: String, _ choice: MessageChoice, damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionMessage) throws -> Void
    ) throws

    /// One message, by its row.
    /// - Parameters:
    ///   - row: its ``SessionMessage/row``.
    ///   - conversation: the ID of its conversation.
    /// - Returns: nil where there is none.
    /// - Throws: ``SessionStoreError``.
    func message(row: Int64, of conversation: String) throws -> SessionMessage?

    /// The first and the last row of all messages; nil where there is none.
    /// - Throws: ``SessionStoreError``.
    func messageRows() throws -> ClosedRange<Int64>?

    /// The ID of the conversation that a message belongs to; nil where there is no such row, or none is stored.
    /// - Parameter row: its ``SessionMessage/row``.
    /// - Throws: ``SessionStoreError``.
    func conversation(ofMessage row: Int64) throws -> String?

    /// Looks at messages of all conversations in the order of their rows, for a search.
    /// - Parameters:
    ///   - rows: the first and the last of them, which need not exist.
    ///   - body: receives each; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever `body` throws.
    func forEachGlance(in rows: ClosedRange<Int64>, _ body: (MessageGlance) throws -> Void) throws

    /// Records of messages that were received.
    /// - Parameters:
    ///   - damaged: receives what is wrong with a row that cannot be read; throw to stop.
    ///   - body: receives each; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever the closures throw.
    func forEachSeenMessage(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionSeenMessage) throws -> Void
    ) throws

    /// The state of contacts, groups and settings as libsession keeps it, for who decodes it.
    /// - Parameter body: receives each with its bytes, which are lent: they may contain keys of groups. Throw to stop.
    /// - Throws: ``SessionStoreError``; whatever `body` throws.
    func forEachConfigDump(_ body: (SessionConfigDump, UnsafeRawBufferPointer) throws -> Void) throws
}

/// Which messages of a conversation are read.
package enum MessageChoice: Sendable {
    case all
    /// So many, the last ones.
    case newest(Int64)
    /// Those of these rows: see ``SessionMessage/row``.
    case rows(Set<Int64>)

    /// - Parameter newest: nil for all.
    package init(newest: Int64?) { self = newest.map { .newest($0) } ?? .all }
}

extension SessionStore {
    /// The last messages of a conversation: see ``forEachMessage(of:_:damaged:_:)``.
    /// - Parameter newest: how many; nil for all.
    package func forEachMessage(
        of conversation: String, newest: Int64?, damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionMessage) throws -> Void
    ) throws {
        try forEachMessage(of: conversation, MessageChoice(newest: newest), damaged: damaged, body)
    }

    /// All conversations with their counts: see ``conversations(counts:damaged:)``.
    package func conversations(
        damaged: (SessionStoreError) throws -> Void
    ) throws -> [SessionConversation] {
        try conversations(counts: true, damaged: damaged)
    }
}

/// Which state a dump of libsession is of.
package struct SessionConfigDump: Sendable {
    /// What it is of, such as `UserProfile`, as it is stored.
    package let variant: String
    /// The Session ID of the account or of the group.
    package let owner: String
    /// When it was written, in milliseconds since 1970; nil where that is not stored.
    package let timestamp: Int64?
}

/// What is unusual about a store.
package enum SessionWarning: Sendable, Hashable {
    /// A program newer than those that are known wrote it: what is new in it is not read.
    case newerSchema(found: Int64, known: Int64)
    /// SQLCipher 3 wrote it; it was read as it is, and not migrated.
    case olderCipher
    /// Tables that no known version has.
    case unknownTables([String])
    /// Tables that all known versions have, and that are read where they are.
    case missingTables([String])
}
