import ValiseChatSchema
import ValiseDatabase
import ValisePages

/// Finds out, when all is saved that can be, what is missing.
struct SalvageFindings {
    private let salvage: DatabaseSalvage

    init(_ salvage: DatabaseSalvage) { self.salvage = salvage }

    func complete() throws {
        try dropFilledGaps()
        var chats: [IndexWitness.ChatKey: IndexWitness.ChatLoss] = [:]
        let witness = IndexWitness(
            pages: salvage.pages, encoding: salvage.encoding, connection: salvage.target)
        for table in salvage.tables {
            table.report.missingRanges = table.gaps.map {
                SalvageReport.Range(above: $0.above, upTo: $0.upTo)
            }
            guard !table.gaps.isEmpty || table.report.cutRows > 0 || table.entry.root == 0 else { continue }
            let indexes = salvage.schema.entries.filter { $0.kind == .index && $0.table == table.name }
            let testimony = try witness.ask(table, indexes) { [unowned salvage] in try salvage.tick() }
            table.report.missingRows = testimony.missingRows
            if testimony.missingRows == 0 { table.report.missingRanges = [] }
            chats.merge(testimony.messages) { first, _ in first }
            if table.name == MessageColumn.table.rawValue { try describeRanges(table) }
        }
        try describe(chats)
        try ReferenceCheck(salvage.target, drops: salvage.options.dropsOrphans).run(&salvage.report)
        try describePages()
    }

    // MARK: Gaps

    /// A page above the leaves holds no rows of a table. Where the map names all pages below it and all of
    /// them were saved, nothing is missing.
    private func dropFilledGaps() throws {
        guard let map = salvage.map else { return }
        let inner = salvage.tables.filter { !$0.shape.isWithoutRowID }.flatMap { table in
            table.gaps.filter { gap in
                gap.reason == .unreadable && table.leafDepth.map { gap.depth < $0 } ?? true
            }.map(\.page)
        }
        guard !inner.isEmpty else { return }
        var isFilled = Dictionary(inner.map { ($0, false) }) { first, _ in first }
        var isBroken: Set<UInt32> = []
        for number in 1...max(1, salvage.pages.pageCount) {
            guard let entry = try map.entry(of: number) else {
                // What a lost page of the map speaks of could lie anywhere.
                if number > 2, !map.isMap(number) { return }
                continue
            }
            guard case .child(let parent) = entry, isFilled[parent] != nil else { continue }
            isFilled[parent] = true
            if salvage.claims.use(of: number) != .tree || salvage.pages.isDamaged(number) {
                isBroken.insert(parent)
            }
        }
        for table in salvage.tables {
            table.gaps.removeAll { isFilled[$0.page] == true && !isBroken.contains($0.page) }
        }
    }

    // MARK: Messages

    private func describe(_ chats: [IndexWitness.ChatKey: IndexWitness.ChatLoss]) throws {
        let sorted = chats.sorted {
            ($0.key.column.rawValue, $0.key.id) < ($1.key.column.rawValue, $1.key.id)
        }
        salvage.report.lostMessages = try sorted.map { key, loss in
            SalvageReport.Messages(
                chat: try name(of: key), count: loss.count, first: loss.first, last: loss.last)
        }
    }

    private func name(of key: IndexWitness.ChatKey) throws -> String {
        let name = try SalvagedNames().name(of: key.id, in: key.column, salvage.target.connection)
        return switch key.column {
        case .contact: name ?? "contact \(key.id)"
        case .group: name ?? "group \(key.id)"
        case .notes: "private notes"
        }
    }

    /// The dates of the messages on both sides of each gap.
    private func describeRanges(_ table: SalvagedTable) throws {
        for range in table.report.missingRanges {
            let before = try range.above.flatMap {
                try SalvagedNames().time(upTo: $0, salvage.target.connection)
            }
            let after = try range.upTo.flatMap {
                try SalvagedNames().time(above: $0, salvage.target.connection)
            }
            salvage.report.messageRanges.append(
                "after \(before ?? "the beginning"), before \(after ?? "the end")")
        }
    }

    // MARK: Pages

    private func describePages() throws {
        for number in salvage.report.damagedPages.pages {
            salvage.report.lostPages.append(
                SalvageReport.Page(page: number, content: try content(of: number)))
        }
    }

    private func content(of number: UInt32) throws -> String? {
        switch salvage.claims.use(of: number) {
        case .map: return "pointer map"
        case .free: return "free"
        case .lock: return "locks"
        case .tree, .overflow:
            return salvage.owners[salvage.claims.owner(of: number)]
        case .unknown: break
        }
        var current = number
        for _ in 0..<20 {
            switch try salvage.map?.entry(of: current) {
            case .free: return "free"
            case .child(let next), .overflow(let next), .continuation(let next): current = next
            case .root, nil: return nil
            }
            if let owner = salvage.owners[salvage.claims.owner(of: current)] { return owner }
        }
        return nil
    }
}
