import ValiseDatabase
import ValisePages

/// Finds the schema of a database, whose table begins on the very first page.
///
/// Where pages of it are lost, its other pages are found by their shape. What then still misses is taken from
/// damaged pages, where a known schema confirms it or at least SQLite understands it, and from known schemas.
struct SchemaRecovery {
    struct Result {
        var entries: [SchemaEntry] = []
        /// Whether part of the schema table is lost.
        var hasLosses = false
        /// Objects that were taken from a damaged page.
        var fromDamaged: [String] = []
        /// Objects that were taken from a known schema.
        var fromKnown: [String] = []
        /// Where the known schema came from.
        var knownName: String?
        /// Whether a known schema that agrees with what was found says everything that was lost.
        var isComplete: Bool { !hasLosses || knownName != nil }
    }

    let pages: SalvagePages
    let claims: PageClaims
    let encoding: DatabaseHeader.TextEncoding
    let map: PointerMap?

    /// The claims of the schema's own pages.
    static let owner: UInt32 = 1

    /// - Parameter known: schemas that it may have been; asked for only where part of it is lost.
    func run(known: () throws -> [KnownSchema]) throws -> Result {
        var result = Result()
        let collector = SchemaCollector(encoding)
        var walk = TreeWalk(pages, claims, .table, owner: Self.owner, visitor: collector)
        try walk.run(from: 1)
        result.hasLosses = collector.hasLosses
        if result.hasLosses { try collectStrays(collector) }
        result.entries = collector.entries
        guard result.hasLosses else { return result }
        let schema = try choose(among: known(), result.entries)
        result.knownName = schema?.name
        try addDamaged(schema, &result)
        for entry in schema?.entries ?? []
        where !result.entries.contains(where: { $0.identity == entry.identity }) {
            var entry = entry
            entry.isRootInferred = true
            if schema?.hasRoots != true || claims.use(of: entry.root) != .unknown { entry.root = 0 }
            result.entries.append(entry)
            result.fromKnown.append(entry.identity)
        }
        if let schema { try RootOrder(pages, claims, map, schema).complete(&result.entries) }
        return result
    }

    /// The schema that what was found speaks for: parts of it or, where there are none, names of migrations.
    private func choose(among known: [KnownSchema], _ found: [SchemaEntry]) throws -> KnownSchema? {
        if let schema = known.first(where: { $0.agrees(with: found) }) { return schema }
        guard !found.contains(where: { !$0.isInternal }), !known.isEmpty else { return nil }
        let names = try strayTexts(among: Set(known.flatMap(\.migrations)))
        return known.first { schema in schema.migrations.last.map(names.contains) ?? false }
    }

    /// Which of these texts are the first value of a row or an index entry anywhere.
    private func strayTexts(among wanted: Set<String>) throws -> Set<String> {
        var found: Set<String> = []
        for number in 1...max(1, pages.pageCount) where claims.use(of: number) == .unknown {
            guard let bytes = try pages.page(number), let page = TreePage(number, bytes), page.isLeaf else {
                continue
            }
            for index in 0..<page.cellCount {
                guard let local = page.cell(index)?.payload?.local,
                    let text = Record(local, encoding: encoding)?.values.first?.string
                else { continue }
                if wanted.contains(text) { found.insert(text) }
            }
        }
        return found
    }

    /// Pages of the schema table that are no longer connected.
    private func collectStrays(_ collector: SchemaCollector) throws {
        guard pages.pageCount > 1 else { return }
        for number in 2...pages.pageCount where claims.use(of: number) == .unknown {
            guard let bytes = try pages.page(number), let page = TreePage(number, bytes),
                isSchema(page, allRows: true)
            else { continue }
            var walk = TreeWalk(pages, claims, .table, owner: Self.owner, visitor: collector)
            try walk.run(from: number)
        }
    }

    /// Whether what is on a page are rows of a schema table, as far as their begin tells.
    private func isSchema(_ page: TreePage, allRows: Bool) -> Bool {
        guard page.isLeaf, page.kind == .table, page.cellCount > 0 else { return false }
        func matches(_ index: Int) -> Bool {
            guard let local = page.cell(index)?.payload?.local,
                let record = Record(local, encoding: encoding),
                let kind = record.values.first?.string
            else { return false }
            return SchemaEntry.Kind(rawValue: kind) != nil && record.values.count >= 4
                && (!record.isIntact || SchemaEntry(record.values) != nil)
        }
        return allRows
            ? (0..<page.cellCount).allSatisfy(matches) : (0..<page.cellCount).contains(where: matches)
    }

    private func addDamaged(_ schema: KnownSchema?, _ result: inout Result) throws {
        guard let damaged = pages.verification?.damaged, !pages.usesDamaged else { return }
        let all = pages.includingDamaged
        let collector = SchemaCollector(encoding)
        let scratch = PageClaims(pageCount: pages.pageCount)
        for number in damaged.pages where number <= pages.pageCount {
            guard let bytes = try all.page(number), let page = TreePage(number, bytes),
                isSchema(page, allRows: false)
            else { continue }
            var walk = TreeWalk(all, scratch, .table, visitor: collector)
            try walk.run(from: number)
        }
        for entry in collector.entries
        where !result.entries.contains(where: { $0.identity == entry.identity }) {
            let expected = schema?.entries.first { $0.identity == entry.identity }
            let isConfirmed = expected.map { $0.normalizedSQL == entry.normalizedSQL } ?? false
            guard isConfirmed || (schema == nil && understands(entry)) else { continue }
            var entry = entry
            entry.isRootInferred = true
            result.entries.append(entry)
            result.fromDamaged.append(entry.identity)
        }
    }

    /// Whether SQLite takes the statement of a table. Indexes and the rest are judged when they are made.
    private func understands(_ entry: SchemaEntry) -> Bool {
        guard entry.kind == .table else { return entry.sql == nil || entry.isHarmless }
        guard entry.isHarmless, let sql = entry.sql, let connection = try? KnownSchema.scratch() else {
            return false
        }
        return (try? connection.run(sql)) != nil
    }
}

/// Takes the rows of a schema table.
final class SchemaCollector: TreeVisitor {
    private let encoding: DatabaseHeader.TextEncoding
    private(set) var entries: [SchemaEntry] = []
    private(set) var hasLosses = false
    private var identities: Set<String> = []

    /// More objects than this no real database has.
    private static let mostEntries = 20_000

    init(_ encoding: DatabaseHeader.TextEncoding) { self.encoding = encoding }

    func accepts(_ page: TreePage) -> Bool { true }

    func visit(_ row: TreeRow) {
        guard row.lostOverflow == nil, let record = Record(row.payload, encoding: encoding), record.isIntact,
            let entry = SchemaEntry(record.values), entries.count < Self.mostEntries
        else {
            hasLosses = true
            return
        }
        if identities.insert(entry.identity).inserted { entries.append(entry) }
    }

    func miss(_ gap: TreeGap) { hasLosses = true }
}
