import ValiseDatabase
import ValiseEncoding

/// Tells whether an export is one of another account. Rows of two accounts have the same numbers: an update from the wrong one
/// would mix their messages, and mark those of the right one as deleted.
package struct ExportedAccount {
    private let conversations: Set<String>
    private let times: [Int64: UTCTime?]

    private static let most = 1000

    /// Reads the items of the smallest conversations, which are enough.
    /// - Throws: `FileError`; `DatabaseError`.
    package init(of export: ExportedLog) throws {
        var conversations: Set<String> = []
        var times: [Int64: UTCTime?] = [:]
        let all = try export.conversations(includesHidden: true, damaged: { _ in })
        for conversation in all.sorted(by: { $0.items < $1.items }) where times.count < Self.most {
            // What is gone already cannot be in any account.
            try export.forEachItem(
                of: conversation, newest: Int64(Self.most), damaged: { _ in },
                { item in
                    guard item.gone == nil else { return }
                    times[item.row] = .some(item.time.value)
                    conversations.insert(conversation.key)
                })
        }
        self.conversations = conversations
        self.times = times
    }

    private struct Found: Error {}

    /// Whether the account has none of the items of the export, and others under their numbers. No row gets the number of a
    /// deleted one, so that an account whose messages were all deleted is not another one.
    /// - Throws: `DatabaseError`; whatever `checkpoint` throws.
    package func isAnother(
        _ source: any ConversationSource, _ wanted: [Conversation], checkpoint: () throws -> Void = {}
    ) throws -> Bool {
        var others = 0
        let first = wanted.filter { conversations.contains($0.key) }
        let rest = wanted.filter { !conversations.contains($0.key) }
        do {
            for conversation in first + rest {
                let isIn = conversations.contains(conversation.key)
                try checkpoint()
                try source.forEachItem(
                    of: conversation, newest: nil, damaged: { _ in },
                    { item in
                        guard let time = times[item.row] else { return }
                        if isIn, time == item.time.value { throw Found() }
                        others += 1
                    })
            }
        } catch is Found {
            return false
        }
        return others > 0
    }
}
