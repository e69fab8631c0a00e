import SystemPackage
import ValiseChatLog
import ValiseConcurrency
import ValiseEncoding
import ValiseSessionStore

/// A store of Session in the place of an account.
struct SessionInput: Sendable {
    /// Keeps what it read from as long as it is needed.
    private let access: SessionAccess
    private var snapshot: SessionSnapshot
    private let includesExpired: Bool
    private let expired = ExpiredMessages()

    /// - Throws: as ``SessionAccess``.
    init(
        _ place: SessionPlace, _ input: ConversationInput, to purpose: String, _ reading: SessionReading,
        in context: OperationContext
    ) async throws {
        access = try await SessionAccess(
            place, input.passphrase, to: purpose, reading: reading, in: context)
        snapshot = access.snapshot
        includesExpired = input.includesExpired
    }

    /// The same for who reads all of it.
    /// - Throws: as ``SessionSnapshot/verified(progress:)``.
    func verified(_ progress: ProgressHandler) throws -> SessionInput {
        let total = snapshot.databaseSize
        var input = self
        input.snapshot = try snapshot.verified { done in
            try progress(OperationProgress("checking pages", completed: done, total: total, unit: .bytes))
        }
        return input
    }

    /// The conversations, for the calling thread.
    /// - Parameter counts: whether they tell how many messages they have.
    /// - Throws: `SessionStoreError`: `damaged`, `newer`, `unsupported`; `FileError`.
    func log(counts: Bool = true) throws -> SessionLog {
        try SessionLog(
            snapshot.open(), now: .now, includesExpired: includesExpired, counts: counts, expired: expired,
            reopen: { [snapshot] in try snapshot.open() })
    }

    /// The search index of the store.
    /// - Throws: `FileError`; `SecretsError`; errors of the store.
    func index(_ place: IndexPlace) throws -> SearchIndex {
        try SearchIndex(in: place.folder, of: place.database, access.snapshot)
    }

    /// What is told when all was read; nil for nothing.
    var note: ExpiredMessagesNote? { ExpiredMessagesNote(expired.count) }
}

/// Messages were left out because they should have disappeared.
package struct ExpiredMessagesNote: OperationNote {
    package let count: Int64

    package var text: String { "left out \(Count.text(count, "expired message"))" }

    /// Nil where there are none.
    init?(_ count: Int64) {
        guard count > 0 else { return nil }
        self.count = count
    }
}
