import ValisePages

/// Finds out to which table or index damaged pages belong, from the pages that are not.
///
/// With `auto_vacuum` SQLite keeps a map from each page to the one above it, which is followed upwards. Without
/// it the trees are walked downwards, first their inner pages only, and as a last resort every page.
struct PageOwners {
    private let pages: SoundPages
    private let roots: TreeRoots
    private var wanted: Set<UInt32> = []
    private var found: [UInt32: String] = [:]
    /// Pages of trees and lists that were seen: a list that leads back to itself must end.
    private var claims: PageClaims

    private static let freeListName = "the freelist"
    private static let pointerMapName = "the pointer map"
    private static let deepest = 40

    init(_ pages: SoundPages, _ roots: TreeRoots) {
        self.pages = pages
        self.roots = roots
        claims = PageClaims(pageCount: pages.pageCount)
    }

    /// - Returns: a name for each page whose owner could be found.
    mutating func names(of listed: [UInt32]) throws -> [UInt32: String] {
        wanted = Set(listed)
        for page in listed { if let name = roots.names[page] { settle(page, name) } }
        if let header = pages.header {
            if header.autoVacuum != .none { try climb() }
            if !wanted.isEmpty { try readFreeList(from: header.firstFree) }
        }
        if !wanted.isEmpty { try walk(includingLeaves: false) }
        if !wanted.isEmpty { try walk(includingLeaves: true) }
        return found
    }

    private mutating func settle(_ page: UInt32, _ name: String) {
        if wanted.remove(page) != nil { found[page] = name }
    }

    // MARK: Upwards

    private mutating func climb() throws {
        let map = PointerMap(pages)
        for page in wanted { if let name = try owner(above: page, map) { settle(page, name) } }
    }

    private func owner(above start: UInt32, _ map: PointerMap) throws -> String? {
        var page = start
        for _ in 0..<pages.pageCount {
            guard page <= pages.pageCount else { return nil }
            if map.isMap(page) { return Self.pointerMapName }
            if let name = roots.names[page] { return name }
            switch try map.entry(of: page) {
            case .free: return Self.freeListName
            case .overflow(let other), .continuation(let other), .child(let other): page = other
            case .root, nil: return nil
            }
        }
        return nil
    }

    // MARK: Downwards

    private mutating func readFreeList(from first: UInt32) throws {
        _ = try FreePages.claim(from: first, in: pages, claims)
        for page in wanted where claims.use(of: page) == .free { settle(page, Self.freeListName) }
    }

    private func tree(_ page: UInt32) throws -> TreePage? {
        try pages.page(page).flatMap { TreePage(page, $0) }
    }

    private mutating func walk(includingLeaves: Bool) throws {
        claims = PageClaims(pageCount: pages.pageCount)
        for (root, name) in roots.names.sorted(by: { $0.key < $1.key }) where !wanted.isEmpty {
            let depth = includingLeaves ? Self.deepest : try depth(below: root)
            try walk(from: root, name, depth: depth, includingLeaves: includingLeaves)
        }
    }

    /// All leaves of a tree are as deep as each other: how deep, one way down tells.
    private func depth(below root: UInt32) throws -> Int {
        var page = root
        for depth in 0..<Self.deepest {
            let children = try tree(page)?.children ?? []
            guard let next = children.first(where: { !pages.isDamaged($0) }) else { return depth }
            page = next
        }
        return Self.deepest
    }

    private mutating func walk(from root: UInt32, _ name: String, depth: Int, includingLeaves: Bool) throws {
        var waiting: [(page: UInt32, level: Int)] = [(root, 0)]
        while let (page, level) = waiting.popLast(), !wanted.isEmpty {
            guard claims.claim(page, as: .tree) else { continue }
            settle(page, name)
            guard let tree = try tree(page) else { continue }
            if includingLeaves { for cell in tree.cells { try follow(cell.payload?.overflow, name) } }
            for child in tree.children {
                // A leaf is not read for its own sake.
                if level + 1 < depth { waiting.append((child, level + 1)) } else { settle(child, name) }
            }
        }
    }

    private mutating func follow(_ overflow: UInt32?, _ name: String) throws {
        var next = overflow
        while let page = next, claims.claim(page, as: .overflow) {
            settle(page, name)
            next = try pages.page(page).flatMap { TreeCell.Payload.next(after: $0) }
        }
    }
}
