import ValisePages

/// Finds the roots of objects whose rows in the schema table are lost, by the order of roots.
///
/// In a database with auto-vacuum, or one that was just vacuumed, the roots of all trees lie side by side at
/// the start of the file; without auto-vacuum pages of the schema table lie between them. With a known schema
/// of the same make their order says which is whose. Every root that is known otherwise, and the kind of every
/// page, has to agree; else nothing is concluded. A root that was read from a damaged page is not known: the
/// damage may have made it another number.
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
        let isWanted = { (entry: SchemaEntry) in entry.hasTree && (entry.root == 0 || entry.isRootInferred) }
        guard entries.contains(where: isWanted), let roots = try roots(entries) else { return }
        for index in entries.indices where isWanted(entries[index]) {
            guard let root = roots[entries[index].identity], claims.use(of: root) == .unknown else {
                continue
            }
            entries[index].root = root
            entries[index].isRootInferred = true
        }
    }

    /// What lies on a page among the roots.
    private enum Place {
        case tree(TreeKind)
        case unreadable
        case notARoot

        var isUnreadable: Bool {
            if case .unreadable = self { return true }
            return false
        }

        func fits(_ kind: TreeKind) -> Bool {
            switch self {
            case .tree(let own): own == kind
            case .unreadable: true
            case .notARoot: false
            }
        }
    }

    /// Nil where anything contradicts the order.
    private func roots(_ entries: [SchemaEntry]) throws -> [String: UInt32]? {
        // Pages of the file are counted in 32 bits; one more would not do.
        guard pages.pageCount < UInt32.max else { return nil }
        // A number can be anything; behind the end of the file nothing has to agree.
        let isKnown = { (entry: SchemaEntry) in
            entry.root > 0 && entry.root <= pages.pageCount && !entry.isRootInferred
        }
        let known = Dictionary(entries.filter(isKnown).map { ($0.identity, $0.root) }) { first, _ in first }
        var roots: [String: UInt32] = [:]
        var witnesses = 0
        var next: UInt32 = 2
        var index = 0
        while index < trees.count {
            // From one known root to the next, or to the end of the order.
            let end = trees[index...].firstIndex { known[$0.identity] != nil }
            let open = Array(trees[index..<(end ?? trees.count)])
            let limit = end.flatMap { known[trees[$0].identity] }
            guard let found = try assign(open, from: next, to: limit) else { return nil }
            for (tree, number) in zip(open, found.pages) { roots[tree.identity] = number }
            witnesses += found.readable
            guard let end, let limit else { break }
            guard let place = try place(limit), place.fits(kind(of: trees[end])) else { return nil }
            witnesses += place.isUnreadable ? 1 : 2
            next = limit + 1
            index = end + 1
        }
        return witnesses >= Self.fewestWitnesses ? roots : nil
    }

    /// The pages of trees that follow each other, as far as there is only one way to see it, and how many of
    /// them could be read; nil where something else lies there.
    ///
    /// - Parameter limit: the next root that is known; nil behind the last.
    private func assign(
        _ trees: [SchemaEntry], from first: UInt32, to limit: UInt32?
    ) throws -> (pages: [UInt32], readable: Int)? {
        let end = limit ?? pages.pageCount + 1
        guard end >= first else { return nil }
        var places: [(number: UInt32, place: Place)] = []
        var readable = 0
        for number in first..<end {
            if limit == nil, places.count == trees.count { break }
            guard let place = try place(number) else { continue }
            places.append((number, place))
            readable += place.isUnreadable ? 0 : 1
            guard readable <= trees.count else { return nil }
        }
        let lost = places.firstIndex { $0.place.isUnreadable }
        if map == nil, let lost, limit == nil || places.count > trees.count {
            // Without a map it may be a page of the schema as well; behind the last known root nothing tells.
            if limit == nil {
                places.removeSubrange(lost...)
            } else {
                places = readable == trees.count ? places.filter { !$0.place.isUnreadable } : []
            }
        } else if limit != nil, places.count != trees.count {
            return nil
        }
        guard zip(places, trees).allSatisfy({ $0.place.fits(kind(of: $1)) }) else { return nil }
        return (places.map(\.number), places.count { !$0.place.isUnreadable })
    }

    /// Nil for what may lie between roots: pages of the map and of the schema's table.
    private func place(_ number: UInt32) throws -> Place? {
        let use = claims.use(of: number)
        if use == .map || use == .lock || claims.owner(of: number) == SchemaRecovery.owner { return nil }
        let bytes = try pages.page(number)
        if let map {
            if let entry = try map.entry(of: number), entry != .root, bytes != nil { return .notARoot }
        } else if let bytes, TreePage(number, bytes) == nil {
            // The rest of a row of the schema whose begin is lost.
            return nil
        }
        guard let bytes else { return .unreadable }
        return TreePage(number, bytes).map { .tree($0.kind) } ?? .notARoot
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
