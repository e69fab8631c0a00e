package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
package import ValiseSessionStore

/// Tells whose a store of Session is, which version of its schema it has, and what is in it. Messages are counted and not read.
package struct SummarizeSession: Operation {
    /// The profile folder of Session Desktop, the folder of Session iOS, or a `session.bak`.
    package var path: FilePath
    package var passphrase: PassphraseSource

    package init(_ path: FilePath, passphrase: PassphraseSource = PassphraseSource()) {
        self.path = path
        self.passphrase = passphrase
    }

    package func run(in context: OperationContext) async throws -> SessionSummary {
        let place = try await context.blocking { [path] _ in try SessionPlace.require(path) }
        let access = try await SessionAccess(place, passphrase, to: "describe it", in: context)
        return try await context.blocking { progress in
            try progress(OperationProgress("counting messages"))
            return try SessionSummary(access)
        }
    }
}

/// What a store of Session holds.
package struct SessionSummary: OperationReport {
    package let path: String
    /// Which program's store it is.
    package let program: SessionPlace.Kind
    /// The account's Session ID; nil where it is not stored.
    package let sessionID: String?
    package let schema: SessionSchemaVersion
    /// Of the database, in bytes.
    package let databaseSize: Int64
    /// How many files a backup has; nil for a folder.
    package let files: Int?
    /// How many there are of each kind.
    package private(set) var conversations: [String: Int] = [:]
    /// Events and expired ones too.
    package private(set) var messages: Int64 = 0
    /// Nil where that is not stored.
    package private(set) var unread: Int64?
    package private(set) var contacts = 0
    package private(set) var blocked = 0
    /// What libsession keeps, such as `UserProfile`.
    package private(set) var configurations: [String] = []
    /// What is unusual, and no obstacle.
    package let warnings: [String]
    /// What is wrong with rows that could not be read.
    package private(set) var damaged: [String] = []

    package var hasEntryErrors: Bool { !damaged.isEmpty }

    private enum CodingKeys: String, CodingKey {
        case path, program, schema, databaseSize, files, conversations, messages, unread, contacts, blocked,
            configurations, warnings, damaged
        case sessionID = "sessionId"
    }

    /// - Throws: `SessionStoreError`; errors of the source.
    init(_ access: SessionAccess) throws {
        let store = try access.snapshot.open()
        path = access.place.path.string
        program = access.place.kind
        sessionID = store.ownID
        schema = store.version
        databaseSize = access.snapshot.databaseSize
        files = access.backup.map { $0.fileCount + $0.extraCount }
        warnings = store.warnings.map(\.text)
        try count(store)
    }

    private mutating func count(_ store: any SessionStore) throws {
        var problems: [String] = []
        for conversation in try store.conversations(damaged: { problems.append($0.message) }) {
            conversations[conversation.kind.rawValue, default: 0] += 1
            messages += conversation.messages
            if let count = conversation.unread { unread = (unread ?? 0) + count }
        }
        var (known, blocked) = (0, 0)
        try store.forEachContact(damaged: { problems.append($0.message) }) { contact in
            known += 1
            if contact.isBlocked == true { blocked += 1 }
        }
        (contacts, self.blocked) = (known, blocked)
        try store.forEachConfiguration { configurations.append($0.identity.variant) }
        damaged = problems
    }
}

extension SessionWarning {
    /// A sentence.
    package var text: String {
        switch self {
        case .newerSchema(let found, let known):
            "a newer program wrote the database: its schema is \(found), and \(known) is the newest that is known"
        case .olderCipher: "the database has the settings of SQLCipher 3"
        case .unknownTables(let names):
            "\(Count.noun(names.count, "table")) that no known version has: \(names.joined(separator: ", "))"
        case .missingTables(let names):
            "\(Count.noun(names.count, "table")) that all known versions have, missing here: "
                + names.joined(separator: ", ")
        }
    }
}
