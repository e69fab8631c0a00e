import SystemPackage
import ValiseChatLog
import ValiseEncoding
import ValiseSessionStore

/// A store of Session in the place of an account.
struct SessionInput: Sendable {
    private let access: SessionAccess
    private let includesExpired: Bool
    private let expired = ExpiredMessages()

    /// - Throws: as ``SessionAccess``.
    init(
        _ place: SessionPlace, _ input: ConversationInput, to purpose: String, in context: OperationContext
    ) async throws {
        access = try await SessionAccess(place, input.passphrase, to: purpose, in: context)
        includesExpired = input.includesExpired
    }

    /// The conversations, for the calling thread.
    /// - Throws: `SessionStoreError`: `damaged`, `newer`, `unsupported`; `FileError`.
    func log() throws -> SessionLog {
        try SessionLog(
            access.snapshot.open(), now: .now, includesExpired: includesExpired, expired: expired)
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
