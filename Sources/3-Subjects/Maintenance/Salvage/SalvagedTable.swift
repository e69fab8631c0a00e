import ValisePages

/// One table on its way from the damaged database into the new one.
final class SalvagedTable {
    let entry: SchemaEntry
    let writer: SalvagedRowWriter
    /// Whose pages are whose, in the claims.
    let owner: UInt32
    var gaps: [TreeGap] = []
    /// The depth of the leaves, where one was reached.
    var leafDepth: Int?
    /// Rows whose ends are lost; there are no more of them than lost pages.
    var cutRowIDs: Set<Int64> = []
    var report: SalvageReport.Table

    var name: String { entry.name }
    var shape: TableShape { writer.shape }

    init(_ entry: SchemaEntry, _ writer: SalvagedRowWriter, owner: UInt32) {
        self.entry = entry
        self.writer = writer
        self.owner = owner
        report = SalvageReport.Table(name: entry.name)
    }

    /// Whether pages that nobody points to any more can belong here: a page that pointed to them is lost.
    func couldHold(_ sample: OrphanSample) -> Bool {
        guard sample.kind == shape.kind else { return false }
        return gaps.contains { gap in
            if let leafDepth, gap.depth >= leafDepth { return false }
            if let above = gap.above, let first = sample.first, first <= above { return false }
            if let upTo = gap.upTo, let last = sample.last, last > upTo { return false }
            return true
        }
    }
}

/// Takes the rows of a walk into a table.
final class RowCollector: TreeVisitor {
    /// How the walk came to the rows.
    enum Origin {
        case tree
        case orphan
    }

    private let table: SalvagedTable
    private let pages: SalvagePages
    private let encoding: DatabaseHeader.TextEncoding
    private let lost: LostAndFound
    private let origin: Origin
    private let tick: () throws -> Void

    init(
        _ table: SalvagedTable, _ pages: SalvagePages, _ encoding: DatabaseHeader.TextEncoding,
        _ lost: LostAndFound, _ origin: Origin, tick: @escaping () throws -> Void
    ) {
        self.table = table
        self.pages = pages
        self.encoding = encoding
        self.lost = lost
        self.origin = origin
        self.tick = tick
    }

    /// Where nothing proves a page, most of its rows have to look like ones of this table.
    func accepts(_ page: TreePage) throws -> Bool {
        try tick()
        guard !pages.isVerified || table.entry.isRootInferred, page.isLeaf else { return true }
        var (fitting, looked) = (0, 0)
        for index in 0..<page.cellCount {
            guard let payload = page.cell(index)?.payload, payload.overflow == nil else { continue }
            looked += 1
            if let record = Record(payload.local, encoding: encoding), table.shape.fits(record.values) {
                fitting += 1
            }
        }
        return looked == 0 || fitting * 2 > looked
    }

    func visit(_ row: TreeRow) throws {
        guard let record = Record(row.payload, encoding: encoding) else {
            table.report.unreadableRows += 1
            return
        }
        guard row.lostOverflow == nil, record.isIntact else {
            table.report.cutRows += 1
            if let rowID = row.rowID { table.cutRowIDs.insert(rowID) }
            return try lost.add(
                record.values, rowID: row.rowID, page: row.page, table: table.name,
                reason: "the end of the row was on page \(row.lostOverflow ?? row.page), which is lost")
        }
        if let refusal = try table.writer.insert(row.rowID, record.values) {
            table.report.refusedRows += 1
            return try lost.add(
                record.values, rowID: row.rowID, page: row.page, table: table.name, reason: refusal)
        }
        table.report.rows += 1
        if origin == .orphan { table.report.rowsFromOrphans += 1 }
        if pages.isDamaged(row.page) { table.report.rowsFromDamagedPages += 1 }
    }

    func miss(_ gap: TreeGap) { table.gaps.append(gap) }
}
