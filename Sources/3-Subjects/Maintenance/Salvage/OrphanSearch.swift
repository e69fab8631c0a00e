import ValisePages

/// What can be told of pages that nobody points to, from the uppermost of them.
struct OrphanSample {
    let top: UInt32
    let kind: TreeKind
    /// The lowest and the highest row id; nil in an index.
    let first: Int64?
    let last: Int64?
    /// Some of the rows.
    let rows: [[RecordValue]]
}

/// Finds pages of trees that can no longer be reached, and whose they are.
///
/// A database with auto-vacuum says of each page who points to it. Elsewhere it is elimination: the table
/// must miss a page above the leaves, the row ids must fit into that gap, and the rows into the table.
struct OrphanSearch {
    /// Whose an orphan is.
    enum Owner {
        case table(SalvagedTable)
        /// Several tables could have it.
        case oneOf([String])
        case nobody
    }

    let pages: SalvagePages
    let claims: PageClaims
    let map: PointerMap?
    let encoding: DatabaseHeader.TextEncoding
    let tables: [SalvagedTable]
    /// Tables whose roots are not known.
    let rootless: [SalvagedTable]
    /// Whether pages of indexes are unaccounted for as well: their entries can look like rows.
    let hasLooseIndexes: Bool
    let tick: () throws -> Void

    private static let mostSteps = 20
    private static let mostRows = 40

    /// The uppermost pages of all trees that were not reached.
    func tops() throws -> [UInt32] {
        guard pages.pageCount > 1 else { return [] }
        var isOrphan = [Bool](repeating: false, count: Int(pages.pageCount) + 1)
        var isChild = isOrphan
        for number in 2...pages.pageCount where claims.use(of: number) == .unknown {
            try tick()
            guard let page = try treePage(number), try !isFree(number) else { continue }
            isOrphan[Int(number)] = true
            for child in page.children where Int(child) < isChild.count && child != number {
                isChild[Int(child)] = true
            }
        }
        return (2...pages.pageCount).filter { isOrphan[Int($0)] && !isChild[Int($0)] }
    }

    private func treePage(_ number: UInt32) throws -> TreePage? {
        guard let bytes = try pages.page(number), let page = TreePage(number, bytes), page.cellCount > 0,
            (0..<page.cellCount).allSatisfy({ page.cell($0) != nil })
        else { return nil }
        return page
    }

    /// What the map knows to be free, or to be part of a row, is no page of a tree, whatever it looks like.
    private func isFree(_ number: UInt32) throws -> Bool {
        switch try map?.entry(of: number) {
        case .free, .overflow, .continuation: true
        case .root, .child, nil: false
        }
    }

    /// Looks at both ends of a tree below an orphan.
    func sample(_ top: UInt32) throws -> OrphanSample? {
        guard let low = try leaf(below: top, last: false), let high = try leaf(below: top, last: true) else {
            return nil
        }
        let rows = [low, high].flatMap { page in
            (0..<min(page.cellCount, Self.mostRows)).compactMap { index -> [RecordValue]? in
                guard let payload = page.cell(index)?.payload, payload.overflow == nil,
                    let record = Record(payload.local, encoding: encoding), record.isIntact
                else { return nil }
                return record.values
            }
        }
        return OrphanSample(
            top: top, kind: low.kind, first: low.cell(0)?.rowID, last: high.cell(high.cellCount - 1)?.rowID,
            rows: rows)
    }

    private func leaf(below top: UInt32, last: Bool) throws -> TreePage? {
        var number = top
        for _ in 0..<Self.mostSteps {
            guard let page = try treePage(number) else { return nil }
            if page.isLeaf { return page }
            guard let child = last ? page.lastChild : page.cell(0)?.child else { return nil }
            number = child
        }
        return nil
    }

    func owner(of sample: OrphanSample) throws -> Owner {
        if let table = try ownerByMap(sample) { return .table(table) }
        let bounded = tables.filter { $0.couldHold(sample) }.map { ($0, isGap: true) }
        let loose = rootless.filter { $0.shape.kind == sample.kind }.map { ($0, isGap: false) }
        let scored = (bounded + loose).compactMap { table, isGap in
            score(sample, table, isGap: isGap).map { (table, $0) }
        }
        guard let best = scored.map(\.1).max() else { return .nobody }
        if sample.kind == .index, hasLooseIndexes { return .oneOf(scored.map(\.0.name) + ["an index"]) }
        let winners = scored.filter { $0.1 == best }.map(\.0)
        return winners.count == 1 ? .table(winners[0]) : .oneOf(winners.map(\.name))
    }

    /// Follows the map up to a page of a known tree.
    private func ownerByMap(_ sample: OrphanSample) throws -> SalvagedTable? {
        var number = sample.top
        for _ in 0..<Self.mostSteps {
            if let table = tables.first(where: {
                $0.entry.root == number || $0.owner == claims.owner(of: number)
            }),
                table.shape.kind == sample.kind,
                sample.rows.count(where: table.shape.fits) * 2 >= sample.rows.count
            {
                return table
            }
            guard case .child(let parent)? = try map?.entry(of: number) else { return nil }
            number = parent
        }
        return nil
    }

    /// How well rows fit a table; nil where they do not.
    private func score(_ sample: OrphanSample, _ table: SalvagedTable, isGap: Bool) -> Int? {
        guard !sample.rows.isEmpty, sample.rows.allSatisfy(table.shape.fits) else { return nil }
        let isFull = sample.rows.contains { $0.count == table.shape.columns.count }
        return (isFull ? 2 : 0) + (isGap ? 1 : 0)
    }
}
