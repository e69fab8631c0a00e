/// A row or entry that a walk came by.
package struct TreeRow: Sendable {
    package let page: UInt32
    /// Nil in an index.
    package let rowID: Int64?
    package let payload: [UInt8]
    /// The overflow page that is lost, so that the payload ends early; nil where it is whole.
    package let lostOverflow: UInt32?
}

/// A place in a tree from which the walk could not go on.
package struct TreeGap: Sendable, Equatable {
    package enum Reason: String, Sendable, Codable {
        /// The page itself is damaged, or behind the end of the file.
        case unreadable
        /// There is something else on the page.
        case notATree
        /// The page belongs to something else already, or to this tree in another place.
        case claimed
        /// Its rows have no place there, or are not of this kind.
        case foreign
        /// No tree of SQLite is that deep.
        case tooDeep
        /// One cell of an otherwise readable page.
        case cell
    }

    package let page: UInt32
    package let reason: Reason
    /// Pages between it and the root; 0 is the root itself.
    package let depth: Int
    /// Rows with ids above this are missing; nil where nothing is known.
    package let above: Int64?
    /// Rows with ids up to this are missing; nil where nothing is known.
    package let upTo: Int64?
}

/// Sees what a walk through a tree comes by.
package protocol TreeVisitor: AnyObject {
    /// Whether the page can belong to the tree. Asked before its rows are given.
    func accepts(_ page: TreePage) throws -> Bool
    func visit(_ row: TreeRow) throws
    func miss(_ gap: TreeGap) throws
}

/// Goes through one b-tree in the order of its keys, around whatever is damaged.
///
/// Every page is claimed first, and a tree has at most `deepest` levels: so the walk ends on any input.
package struct TreeWalk {
    private let source: any PageSource
    private let claims: PageClaims
    private let kind: TreeKind
    private let owner: UInt32
    private let visitor: any TreeVisitor

    /// The depth of the leaves, where one was reached.
    package private(set) var leafDepth: Int?

    /// SQLite's own limit.
    static let deepest = 20

    package init(
        _ source: any PageSource, _ claims: PageClaims, _ kind: TreeKind, owner: UInt32 = PageClaims.nobody,
        visitor: any TreeVisitor
    ) {
        self.source = source
        self.claims = claims
        self.kind = kind
        self.owner = owner
        self.visitor = visitor
    }

    /// Walks from a root, or from any other page of the tree.
    /// - Throws: errors of the source; whatever the visitor throws.
    package mutating func run(from root: UInt32) throws {
        try walk(root, 0, above: nil, upTo: nil)
    }

    private mutating func walk(_ number: UInt32, _ depth: Int, above: Int64?, upTo: Int64?) throws {
        func miss(_ reason: TreeGap.Reason) throws {
            try visitor.miss(TreeGap(page: number, reason: reason, depth: depth, above: above, upTo: upTo))
        }
        guard number > 0, number <= source.pageCount else { return try miss(.unreadable) }
        guard depth < Self.deepest else { return try miss(.tooDeep) }
        guard claims.claim(number, as: .tree, by: owner) else { return try miss(.claimed) }
        guard let bytes = try source.page(number) else { return try miss(.unreadable) }
        guard let page = TreePage(number, bytes), page.kind == kind else {
            claims.release(number)
            return try miss(.notATree)
        }
        guard Self.lies(page, above: above, upTo: upTo), try visitor.accepts(page) else {
            claims.release(number)
            return try miss(.foreign)
        }
        if page.isLeaf { leafDepth = depth }
        try visit(page, depth, above: above, upTo: upTo)
    }

    private mutating func visit(_ page: TreePage, _ depth: Int, above: Int64?, upTo: Int64?) throws {
        var last = above
        // Cells that overlap could make a page say more than it holds, and so fill a disk.
        var available = source.usableSize
        for index in 0..<page.cellCount {
            let found = page.cell(index)
            available -= found?.payload?.local.count ?? 0
            guard let cell = found, available >= 0 else {
                let next = page.kind == .table ? page.cell(index + 1)?.rowID : nil
                try visitor.miss(
                    TreeGap(
                        page: page.number, reason: .cell, depth: page.isLeaf ? depth : depth + 1, above: last,
                        upTo: next ?? upTo))
                continue
            }
            if let child = cell.child { try walk(child, depth + 1, above: last, upTo: cell.rowID ?? upTo) }
            if let payload = cell.payload { try visitor.visit(try row(page.number, cell.rowID, payload)) }
            if let rowID = cell.rowID { last = rowID }
        }
        if let child = page.lastChild { try walk(child, depth + 1, above: last, upTo: upTo) }
    }

    /// Whether the row ids of a table's page, or most of them, are within what its parent says.
    private static func lies(_ page: TreePage, above: Int64?, upTo: Int64?) -> Bool {
        guard page.kind == .table, above != nil || upTo != nil else { return true }
        func lies(_ rowID: Int64?) -> Bool {
            guard let rowID else { return false }
            return above.map { rowID > $0 } ?? true && upTo.map { rowID <= $0 } ?? true
        }
        // In a sound tree both ends answer for the rest.
        if lies(page.cell(0)?.rowID), lies(page.cell(page.cellCount - 1)?.rowID) { return true }
        let rowIDs = page.cells.compactMap(\.rowID)
        return rowIDs.count(where: lies) * 2 >= rowIDs.count
    }

    /// Puts a payload together from its overflow pages, which are claimed as they are read.
    private func row(_ page: UInt32, _ rowID: Int64?, _ payload: TreeCell.Payload) throws -> TreeRow {
        var bytes = payload.local
        var next = payload.overflow ?? 0
        while bytes.count < payload.size {
            guard claims.claim(next, as: .overflow, by: owner), let part = try source.page(next),
                let following = TreeCell.Payload.next(after: part)
            else { return TreeRow(page: page, rowID: rowID, payload: bytes, lostOverflow: next) }
            bytes += part[4..<min(part.count, 4 + payload.size - bytes.count)]
            next = following
        }
        return TreeRow(page: page, rowID: rowID, payload: bytes, lostOverflow: nil)
    }
}
