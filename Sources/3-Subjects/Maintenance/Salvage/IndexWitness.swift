import ValiseChatSchema
import ValiseDatabase
import ValisePages

/// Asks the indexes of a table which rows it had: an entry whose row is gone proves a loss, and says when a
/// lost message was sent and in which chat.
struct IndexWitness {
    /// What all usable indexes of a table say.
    struct Testimony {
        /// Nil where no index of all rows is whole.
        var missingRows: Int?
        var messages: [ChatKey: ChatLoss] = [:]
    }

    struct ChatKey: Hashable {
        let column: SalvagedNames.ChatColumn
        let id: Int64
    }

    struct ChatLoss {
        var count = 0
        var first: String?
        var last: String?
    }

    let pages: SalvagePages
    let encoding: DatabaseHeader.TextEncoding
    let connection: SalvageTarget

    func ask(
        _ table: SalvagedTable, _ indexes: [SchemaEntry], tick: @escaping () throws -> Void
    ) throws -> Testimony {
        var testimony = Testimony()
        guard !table.shape.isWithoutRowID else { return testimony }
        for index in indexes where index.root > 0 {
            let columns = try connection.connection.indexColumns(of: index.name).map(\.column)
            guard !columns.isEmpty else { continue }
            let reader = IndexReader(table, columns, encoding, tick: tick)
            var walk = TreeWalk(
                pages, PageClaims(pageCount: pages.pageCount), .index, visitor: reader)
            try walk.run(from: index.root)
            let isOfAllRows = try connection.connection.indexes(of: table.name).contains {
                $0.name == index.name && !$0.isPartial
            }
            if reader.missing > 0 || (isOfAllRows && reader.isIntact) {
                testimony.missingRows = max(testimony.missingRows ?? 0, reader.missing)
            }
            testimony.messages.merge(reader.chats) { $0.count >= $1.count ? $0 : $1 }
        }
        return testimony
    }
}

/// Looks for entries of an index whose rows were not saved.
private final class IndexReader: TreeVisitor {
    private let table: SalvagedTable
    private let encoding: DatabaseHeader.TextEncoding
    private let tick: () throws -> Void
    private let chatColumns: [(name: SalvagedNames.ChatColumn, position: Int)]
    private let time: Int?

    private(set) var missing = 0
    private(set) var isIntact = true
    private(set) var chats: [IndexWitness.ChatKey: IndexWitness.ChatLoss] = [:]

    init(
        _ table: SalvagedTable, _ columns: [String?], _ encoding: DatabaseHeader.TextEncoding,
        tick: @escaping () throws -> Void
    ) {
        self.table = table
        self.encoding = encoding
        self.tick = tick
        let isMessages = table.name == MessageColumn.table.rawValue
        time =
            columns.firstIndex(of: MessageColumn.time.rawValue)
            ?? columns.firstIndex(of: MessageColumn.createdAt.rawValue)
        let hasTime = time != nil
        chatColumns = SalvagedNames.ChatColumn.allCases.compactMap { name in
            isMessages && hasTime ? columns.firstIndex(of: name.rawValue).map { (name, $0) } : nil
        }
    }

    func accepts(_ page: TreePage) throws -> Bool {
        try tick()
        return true
    }

    func visit(_ row: TreeRow) throws {
        guard row.lostOverflow == nil, let record = Record(row.payload, encoding: encoding), record.isIntact,
            let rowID = record.values.last?.integer
        else {
            isIntact = false
            return
        }
        guard try !table.writer.contains(rowID) else { return }
        missing += 1
        for (name, position) in chatColumns where position < record.values.count {
            guard let id = record.values[position].integer else { continue }
            let date = time.flatMap { $0 < record.values.count ? record.values[$0].string : nil }
            chats[IndexWitness.ChatKey(column: name, id: id), default: .init()].add(date)
        }
    }

    func miss(_ gap: TreeGap) { isIntact = false }
}

extension IndexWitness.ChatLoss {
    fileprivate mutating func add(_ date: String?) {
        count += 1
        guard let date else { return }
        first = min(first ?? date, date)
        last = max(last ?? date, date)
    }
}
