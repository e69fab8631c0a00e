import Fuzzing
import ValisePages

@testable import ValiseMaintenance

/// All that reads pages: header, list of free pages, map, schema, trees, orphans.
struct PageReaders {
    private let pages: SalvagePages
    private let claims: PageClaims
    private let header: DatabaseHeader?

    init(_ pages: SalvagePages) {
        self.pages = pages
        claims = PageClaims(pageCount: pages.pageCount)
        header = ((try? pages.page(1)) ?? nil).flatMap { DatabaseHeader($0) }
    }

    func run() {
        _ = PlainTarget.sound { try walk() }
    }

    private func walk() throws {
        let encoding = header?.encoding ?? .utf8
        let map = try readMap()
        if let first = header?.firstFree { _ = try FreePages.claim(from: first, in: pages, claims) }
        let recovery = SchemaRecovery(pages: pages, claims: claims, encoding: encoding, map: map)
        let schema = try recovery.run { [] }
        let rows = RowCounter(encoding)
        for (index, entry) in schema.entries.enumerated() {
            _ = (entry.isHarmless, entry.isVirtual, entry.normalizedSQL)
            guard entry.root > 0 else { continue }
            for kind in [TreeKind.table, .index] {
                var walk = TreeWalk(pages, claims, kind, owner: UInt32(index) + 2, visitor: rows)
                try walk.run(from: entry.root)
            }
        }
        try readOrphans(map, encoding, rows)
        // Else a file of some pages could fill a disk.
        let available = Int(pages.pageCount) * pages.usableSize
        FuzzRun.require(rows.size <= available, "rows of \(rows.size) bytes do not fit into \(available)")
    }

    private func readMap() throws -> PointerMap? {
        let map = PointerMap(pages)
        _ = try map.looksPresent()
        for number in 0...pages.pageCount + 2 {
            _ = (try map.entry(of: number), map.isMap(number))
        }
        return header.map { $0.autoVacuum != .none } ?? true ? map : nil
    }

    private func readOrphans(
        _ map: PointerMap?, _ encoding: DatabaseHeader.TextEncoding, _ rows: RowCounter
    ) throws {
        let search = OrphanSearch(
            pages: pages, claims: claims, map: map, encoding: encoding, tables: [], rootless: [],
            hasLooseIndexes: false, tick: {})
        for top in try search.tops() {
            guard let sample = try search.sample(top) else { continue }
            _ = try search.owner(of: sample)
            var walk = TreeWalk(pages, claims, sample.kind, owner: top, visitor: rows)
            try walk.run(from: top)
        }
    }
}

/// Takes every row for a record.
final class RowCounter: TreeVisitor {
    private let encoding: DatabaseHeader.TextEncoding
    private(set) var size = 0
    private(set) var count = 0
    private(set) var gaps = 0

    init(_ encoding: DatabaseHeader.TextEncoding) { self.encoding = encoding }

    func accepts(_ page: TreePage) -> Bool { true }

    func visit(_ row: TreeRow) {
        size += row.payload.count
        count += 1
        guard let record = Record(row.payload, encoding: encoding) else { return }
        for value in record.values { _ = (value.string?.count, value.integer) }
    }

    func miss(_ gap: TreeGap) { gaps += 1 }
}
