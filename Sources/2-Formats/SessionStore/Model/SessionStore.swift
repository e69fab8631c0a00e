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
    /// - Parameter damaged: receives what is wrong with a row that cannot be read; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever `damaged` throws.
    func conversations(damaged: (SessionStoreError) throws -> Void) throws -> [SessionConversation]

    /// The messages of a conversation, the oldest first, expired ones too: see ``SessionMessage/isExpired(at:)``.
    /// - Parameters:
    ///   - conversation: its ID.
    ///   - newest: only so many, the last ones; nil for all.
    ///   - damaged: receives what is wrong with a row that cannot be read; throw to stop.
    ///   - body: receives each; throw to stop.
    /// - Throws: ``SessionStoreError``; whatever the closures throw.
    func forEachMessage(
        of conversation: String, newest: Int64?, damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionMessage) throws -> Void
    ) throws

    /// One message, by its row.
    /// - Parameters:
    ///   - row: its ``SessionMessage/row``.
    ///   - conversation: the ID of its conversation.
    /// - Returns: nil where there is none.
    /// - Throws: ``SessionStoreError``.
    func message(row: Int64, of conversation: String) throws -> SessionMessage?

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
