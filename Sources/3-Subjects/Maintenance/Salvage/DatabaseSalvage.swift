import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// Saves what can be read of one database into a new one.
final class DatabaseSalvage {
    let database: AccountDatabase
    let opened: SalvageInput.Opened
    let options: SalvageOptions
    let fileSystem: FileSystem
    let target: SalvageTarget
    let lost: LostAndFound
    let header: DatabaseHeader?
    let claims: PageClaims
    let map: PointerMap?
    let progress: ProgressHandler
    var schema = SchemaRecovery.Result()
    var tables: [SalvagedTable] = []
    /// Whose claims are whose; the schema's own pages come first.
    var owners: [UInt32: String] = [SchemaRecovery.owner: "schema"]
    var report: SalvageReport.Database
    private var ticks = 0

    var pages: SalvagePages { opened.pages }
    var encoding: DatabaseHeader.TextEncoding { header?.encoding ?? .utf8 }

    /// Progress is told once for so many pages.
    private static let pagesInTick = 64

    init(
        _ database: AccountDatabase, _ opened: SalvageInput.Opened, file: FilePath, to path: FilePath,
        lostAndFound: FilePath, passphrase: borrowing SecretBytes, options: SalvageOptions,
        fileSystem: FileSystem, progress: @escaping ProgressHandler
    ) throws {
        self.database = database
        self.opened = opened
        self.options = options
        self.fileSystem = fileSystem
        self.progress = progress
        let pages = opened.pages
        header = pages.pageCount > 0 ? try pages.page(1).flatMap(DatabaseHeader.init) : nil
        let pointers = PointerMap(pages)
        let hasMap = try header.map { $0.autoVacuum != .none } ?? pointers.looksPresent()
        map = hasMap ? pointers : nil
        claims = PageClaims(pageCount: pages.pageCount)
        let key = opened.encrypted == nil ? try SecretBytes.empty() : try passphrase.duplicate()
        target = try SalvageTarget(
            path, passphrase: key, autoVacuum: header?.autoVacuum ?? (hasMap ? .full : .none),
            fileSystem: fileSystem)
        lost = try LostAndFound(lostAndFound, passphrase: key, fileSystem: fileSystem)
        report = SalvageReport.Database(database, file: file.string)
        report.cipher = opened.encrypted?.settings.text
        report.pages = Int(pages.pageCount)
        report.damagedPages = pages.verification?.damaged ?? .init()
        report.trailingBytes = pages.trailingBytes
        report.missingPages = header.map { max(0, Int($0.pageCount) - Int(pages.pageCount)) } ?? 0
        report.notes = opened.notes.map { Remark($0) }
    }

    /// - Parameter known: schemas for what is lost of this one's; asked only then.
    func run(known: () throws -> [KnownSchema]) throws -> SalvageReport.Database {
        try claimBookkeeping()
        schema = try SchemaRecovery(pages: pages, claims: claims, encoding: encoding, map: map)
            .run(known: known)
        noteSchema()
        try makeTables()
        try walkTables()
        try walkIndexes()
        try saveOrphans()
        try askSQLite()
        try makeTheRest()
        try MigrationRepair(self).run()
        try SalvageFindings(self).complete()
        try finish()
        return report
    }

    func tick() throws {
        ticks += 1
        guard ticks % Self.pagesInTick == 0 else { return }
        let total = Int64(pages.pageCount) * Int64(pages.pageSize)
        let done = min(total, Int64(ticks) * Int64(pages.pageSize))
        try progress(
            OperationProgress("recovering the \(database.rawValue) database", completed: done, total: total))
    }

    // MARK: Pages without rows

    private func claimBookkeeping() throws {
        _ = claims.claim(pages.lockPage, as: .lock)
        if let map {
            for number in 1...max(1, pages.pageCount) where map.isMap(number) {
                _ = claims.claim(number, as: .map)
            }
        }
        guard let header else {
            report.notes.append(
                "the header is lost: user_version and application_id are 0 in the new database")
            return
        }
        if try !FreePages.claim(from: header.firstFree, in: pages, claims) {
            report.notes.append("the freelist is damaged: deleted rows may come back")
        }
    }

    private func noteSchema() {
        if let name = schema.knownName, !schema.fromKnown.isEmpty {
            report.notes.append(
                "lost schema objects taken from \(name): \(schema.fromKnown.count)")
        }
        if !schema.fromDamaged.isEmpty {
            report.notes.append(
                "schema objects read from a damaged page: \(schema.fromDamaged.count)")
        }
        if !schema.isComplete {
            report.notes.append(Remark("part of the schema is lost", remedy: .takeSchemaFromAnotherAccount))
            report.lostObjects.append("part of the schema")
        }
    }

    // MARK: Tables

    private func makeTables() throws {
        var owner = SchemaRecovery.owner
        for entry in schema.entries where entry.kind == .table && !entry.isInternal {
            if entry.isVirtual { continue }
            owner += 1
            owners[owner] = "table \(entry.name)"
            if let refusal = try target.make(entry) {
                report.lostObjects.append("\(entry.identity): \(refusal)")
                continue
            }
            let shape = try TableShape(entry.name, target.connection)
            tables.append(SalvagedTable(entry, SalvagedRowWriter(shape, target), owner: owner))
        }
        // Now, so that a row that is not unique is refused by itself and not the index with all rows.
        for entry in schema.entries where entry.isUniqueIndex { try make(entry) }
    }

    private func make(_ entry: SchemaEntry) throws {
        if let refusal = try target.make(entry) {
            report.lostObjects.append("\(entry.identity): \(refusal)")
        }
    }

    private func walkTables() throws {
        // A root that was only concluded may be another table's page: what is known goes first.
        for isInferred in [false, true] {
            for table in tables where table.entry.root > 0 && table.entry.isRootInferred == isInferred {
                try collect(table, from: table.entry.root, .tree)
            }
        }
    }

    private func collect(_ table: SalvagedTable, from page: UInt32, _ origin: RowCollector.Origin) throws {
        let collector = RowCollector(table, pages, encoding, lost, origin) { [unowned self] in try tick() }
        var walk = TreeWalk(
            pages, claims, table.shape.kind, owner: table.owner, visitor: collector)
        try walk.run(from: page)
        if origin == .tree { table.leafDepth = walk.leafDepth }
    }

    /// Indexes are made anew. Their pages are claimed, so that nothing else is thought to be on them.
    private func walkIndexes() throws {
        var owner = UInt32(schema.entries.count) + SchemaRecovery.owner + 1
        for entry in schema.entries where entry.root > 0 && (entry.kind == .index || entry.isInternal) {
            owner += 1
            owners[owner] = "\(entry.kind.rawValue) \(entry.name)"
            let passing = PassingVisitor { [unowned self] in try tick() }
            if entry.name == "sqlite_sequence" { passing.rows = [] }
            var walk = TreeWalk(
                pages, claims, entry.kind == .index ? .index : .table, owner: owner, visitor: passing)
            try walk.run(from: entry.root)
            sequences += passing.rows ?? []
            if passing.hasGaps { hasLooseIndexes = true }
        }
    }

    /// Whether pages of indexes were not found.
    private lazy var hasLooseIndexes =
        !schema.isComplete || schema.entries.contains { $0.kind == .index && $0.root == 0 }

    /// The rows of `sqlite_sequence`.
    private var sequences: [TreeRow] = []

    // MARK: What is no longer connected

    private func saveOrphans() throws {
        let rootless = tables.filter { $0.entry.root == 0 }
        guard
            !rootless.isEmpty || !schema.isComplete || !report.lostObjects.isEmpty
                || tables.contains(where: { !$0.gaps.isEmpty })
        else { return }
        let search = OrphanSearch(
            pages: pages, claims: claims, map: map, encoding: encoding, tables: tables, rootless: rootless,
            hasLooseIndexes: hasLooseIndexes,
            tick: { [unowned self] in try tick() })
        for top in try search.tops() where claims.use(of: top) == .unknown {
            guard let sample = try search.sample(top) else { continue }
            switch try search.owner(of: sample) {
            case .table(let table):
                try collect(table, from: top, .orphan)
            case .oneOf(let names):
                try keep(sample, "possible tables: \(names.joined(separator: ", "))")
            case .nobody where sample.kind == .table:
                try keep(sample, "no known table matches")
            case .nobody:
                // Most likely of an index, which is made anew.
                continue
            }
        }
    }

    private func keep(_ sample: OrphanSample, _ reason: String) throws {
        let collector = LostCollector(lost, encoding, reason)
        var walk = TreeWalk(pages, claims, sample.kind, visitor: collector)
        try walk.run(from: sample.top)
    }

    // MARK: SQLite's own reading

    private func askSQLite() throws {
        let isVerified = pages.isVerified && report.damagedPages.isEmpty && report.missingPages == 0
        guard !isVerified, opened.encrypted == nil || pages.verification != nil else { return }
        let engine = EngineSalvage(
            opened: opened, claims: claims, tables: tables,
            copy: target.path.appendingSuffix(".engine"), fileSystem: fileSystem,
            tick: { [unowned self] in try tick() })
        report.notes += try engine.run().map { Remark($0) }
    }

    // MARK: The end

    private func makeTheRest() throws {
        try target.flush()
        for kind in [SchemaEntry.Kind.index, .view, .trigger] {
            for entry in schema.entries where entry.kind == kind && entry.sql != nil && !entry.isUniqueIndex {
                try progress(OperationProgress("building the indexes of the \(database.rawValue) database"))
                try make(entry)
            }
        }
        for entry in schema.entries where entry.isVirtual { try target.note(entry) }
        try writeSequences()
        if let header {
            try target.connection.setHeader(
                userVersion: Int32(bitPattern: header.userVersion),
                applicationID: Int32(bitPattern: header.applicationID))
        }
    }

    /// The highest row ids that were ever given out.
    private func writeSequences() throws {
        guard try target.connection.hasTable("sqlite_sequence") else { return }
        for row in sequences where row.lostOverflow == nil {
            guard let values = Record(row.payload, encoding: encoding)?.values, values.count == 2,
                let name = values[0].string, let number = values[1].integer
            else { continue }
            try target.connection.raiseSequence(of: name, to: number)
        }
    }

    private func finish() throws {
        try target.finish()
        try lost.finish()
        report.tables = tables.map(\.report)
        report.lostAndFoundRows = lost.count
        if lost.count > 0 { report.lostAndFoundFile = lost.path.lastComponent?.string }
        try progress(OperationProgress("checking the new \(database.rawValue) database"))
        if let problem = try target.connection.structureProblems(.full, limit: 1).first {
            throw MaintenanceError(
                .failed, "the new database failed SQLite's check: \(problem)",
                subject: target.path.string)
        }
    }
}

extension SchemaEntry {
    var isUniqueIndex: Bool {
        kind == .index && (normalizedSQL?.uppercased().hasPrefix("CREATE UNIQUE INDEX") ?? false)
    }
}

/// Passes over the entries of a tree whose pages only have to be claimed, or keeps its few rows.
private final class PassingVisitor: TreeVisitor {
    private let tick: () throws -> Void
    /// Nil where rows are not wanted.
    var rows: [TreeRow]?
    private(set) var hasGaps = false

    private static let mostRows = 20_000

    init(tick: @escaping () throws -> Void) { self.tick = tick }

    func accepts(_ page: TreePage) throws -> Bool {
        try tick()
        return true
    }

    func visit(_ row: TreeRow) {
        if let count = rows?.count, count < Self.mostRows { rows?.append(row) }
    }

    func miss(_ gap: TreeGap) { hasGaps = true }
}

/// Takes rows that nobody can place.
private final class LostCollector: TreeVisitor {
    private let lost: LostAndFound
    private let encoding: DatabaseHeader.TextEncoding
    private let reason: String

    init(_ lost: LostAndFound, _ encoding: DatabaseHeader.TextEncoding, _ reason: String) {
        self.lost = lost
        self.encoding = encoding
        self.reason = reason
    }

    func accepts(_ page: TreePage) -> Bool { true }

    func visit(_ row: TreeRow) throws {
        guard let record = Record(row.payload, encoding: encoding) else { return }
        try lost.add(record.values, rowID: row.rowID, page: row.page, table: nil, reason: reason)
    }

    func miss(_ gap: TreeGap) {}
}
