import ValiseAccounts
package import ValiseDatabase
import ValiseEncoding
import ValiseFailures

/// A selection with its chats looked up.
package struct MediaFilter {
    private let selection: MediaSelection
    private let chats: Set<MediaChat>

    /// - Throws: `AccountMediaError` with `notFound` for a chat that is not there; `DatabaseError`.
    package init(_ selection: MediaSelection, _ connection: borrowing Connection) throws {
        self.selection = selection
        guard !selection.chats.isEmpty else {
            chats = []
            return
        }
        let names = try MediaChats(connection)
        var chats: Set<MediaChat> = []
        for name in selection.chats {
            let found = names.find(name)
            guard !found.isEmpty else {
                throw AccountMediaError(
                    .notFound,
                    "no such chat; contacts are @name, groups #name, private notes *",
                    subject: name)
            }
            chats.formUnion(found)
        }
        self.chats = chats
    }

    /// Whether a file is meant. One without a chat or a time is not, where these are asked for.
    package func matches(_ file: MediaReference) -> Bool {
        if !selection.chats.isEmpty, !(file.chat.map(chats.contains) ?? false) { return false }
        if !selection.kinds.isEmpty, !selection.kinds.contains(file.kind) { return false }
        if let since = selection.since, !(file.time.map { $0.seconds >= since } ?? false) { return false }
        if let before = selection.before, !(file.time.map { $0.seconds < before } ?? false) { return false }
        if let smallest = selection.smallest, file.fileSize < smallest { return false }
        if let largest = selection.largest, file.fileSize > largest { return false }
        return true
    }
}
