import PageTree

/// Finds the roots of objects whose rows in the schema table are lost, by the order of roots.
///
/// In a database with auto-vacuum, or one that was just vacuumed, the roots of all trees lie side by side at
/// the start of the file. With a known schema of the same make their order says which is whose. Every root
/// that is known otherwise, and the kind of every page, has to agree; else nothing is concluded.
struct RootOrder {
    private let pages: SalvagePages
    private let claims: PageClaims
    private let map: PointerMap?
    private let trees: [SchemaEntry]

    /// Fewer pages than this could agree by chance.
    private static let fewestWitnesses = 6

    init(_ pages: SalvagePages, _ claims: PageClaims, _ map: PointerMap?, _ schema: KnownSchema) {
        self.pages = pages
        self.claims = claims
        self.map = map
        trees = schema.trees
    }

    func complete(_ entries: inout [SchemaEntry]) throws {
        guard entries.contains(where: { $0.root == 0 && $0.hasTree }), let roots = try roots(entries) else {
            return
        }
        for index in entries.indices where entries[index].root == 0 {
            guard let root = roots[entries[index].identity], claims.use(of: root) == .unknown else {
                continue
            }
            entries[index].root = root
            entries[index].isRootInferred = true
        }
    }

    /// Nil where anything contradicts the order.
    private func roots(_ entries: [SchemaEntry]) throws -> [String: UInt32]? {
        let known = Dictionary(entries.map { ($0.identity, $0) }) { first, _ in first }
        var roots: [String: UInt32] = [:]
        var witnesses = 0
        var number: UInt32 = 2
        for tree in trees {
            while claims.use(of: number) == .map || claims.use(of: number) == .lock { number += 1 }
            guard number <= pages.pageCount else { break }
            if let root = known[tree.identity]?.root, root > 0 {
                guard root == number else { return nil }
                witnesses += 1
            }
            if let bytes = try pages.page(number) {
                guard let page = TreePage(number, bytes), try isRoot(number),
                    page.kind == kind(of: tree)
                else { return nil }
                witnesses += 1
            }
            roots[tree.identity] = number
            number += 1
        }
        return witnesses >= Self.fewestWitnesses ? roots : nil
    }

    private func isRoot(_ number: UInt32) throws -> Bool {
        guard let entry = try map?.entry(of: number) else { return true }
        return entry == .root
    }

    /// A table without row ids lies in a tree of the other kind.
    private func kind(of tree: SchemaEntry) -> TreeKind {
        guard tree.kind == .table else { return .index }
        let isKeyed = tree.normalizedSQL?.uppercased().contains("WITHOUT ROWID") ?? false
        return isKeyed ? .index : .table
    }
}

extension SchemaEntry {
    /// Whether it has pages of its own.
    var hasTree: Bool { kind == .index || (kind == .table && !isVirtual) }
}
