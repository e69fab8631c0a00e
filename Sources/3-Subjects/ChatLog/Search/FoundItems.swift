import ValiseChatSchema
package import ValiseDatabase

/// Items of an account that were found by their rows, in the order of their conversations.
package struct FoundItems {
    private struct Owner: Hashable {
        let user: Int64
        let scope: ItemScope
    }

    /// So many are found one by one. Of more, most of the account is read in any case.
    package static let most = 400_000

    private let places: [Owner: [FoundPlace]]

    init(_ places: [FoundPlace]) {
        self.places = Dictionary(grouping: places) { Owner(user: $0.user, scope: $0.scope) }
    }

    /// The rows of a conversation, in its order.
    func rows(of conversation: Conversation) -> [Int64] {
        guard let scope = ConversationKey(conversation.key)?.scope else { return [] }
        return places[Owner(user: conversation.user, scope: scope), default: []]
            .sorted { $0.isBefore($1) }.map(\.row)
    }
}

extension ChatLog {
    /// Where items are.
    /// - Parameters:
    ///   - rows: those that are not there are passed over.
    ///   - look: called now and then; throw to stop.
    /// - Throws: `DatabaseError`; whatever `look` throws.
    package func found(_ rows: [Int64], look: () throws -> Void) throws -> FoundItems {
        guard let items else { return FoundItems([]) }
        let reader = try ChatItemRows(items, connection)
        var places: [FoundPlace] = []
        for (number, row) in rows.enumerated() {
            if number % 1024 == 0 { try look() }
            places += try reader.places(of: row)
        }
        return FoundItems(places)
    }

    /// The items of a conversation that were found, in the order of ``forEachItem(of:newest:damaged:_:)``.
    /// - Parameters:
    ///   - found: from ``found(_:look:)``.
    ///   - conversation: one of those of this source.
    ///   - damaged: receives what is wrong with a row that cannot be read.
    ///   - body: receives each item; throw to stop.
    /// - Throws: `DatabaseError`; whatever `body` throws.
    package func forEachItem(
        _ found: FoundItems, of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        let rows = found.rows(of: conversation)
        guard let items, let scope = ConversationKey(conversation.key)?.scope, !rows.isEmpty else { return }
        let reader = try ChatItemRows(items, connection)
        let builder = try ItemBuilder(conversation, scope, schema, connection, damaged: damaged)
        for row in rows {
            // An item that has several files comes once, with its own file.
            var chosen: ChatItemRow?
            for result in try reader.item(row, connection) {
                switch result {
                case .failure(let error): try damaged(error)
                case .success(let row):
                    if chosen.map({ $0.file?.isInternal == true }) ?? true { chosen = row }
                }
            }
            if let chosen { try body(builder.item(chosen)) }
        }
    }
}
