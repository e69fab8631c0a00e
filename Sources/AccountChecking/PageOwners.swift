import PageCipher

/// Finds out to which table or index damaged pages belong, from the pages that are not.
///
/// With `auto_vacuum` SQLite keeps a map from each page to the one above it, which is followed upwards. Without
/// it the trees are walked downwards, first their inner pages only, and as a last resort every page.
struct PageOwners {
    private let file: EncryptedDatabaseFile
    private let roots: TreeRoots
    private let damaged: PageSet
    private let reader: TreeReader
    private var wanted: Set<UInt32> = []
    private var found: [UInt32: String] = [:]
    /// Pages of trees and lists that were seen: a list that leads back to itself must end.
    private var visited: PageBits

    private static let freeListName = "the list of free pages"
    private static let pointerMapName = "the map of pages"
    private static let deepest = 40

    init(_ file: EncryptedDatabaseFile, _ roots: TreeRoots, damaged: PageSet) throws {
        self.file = file
        self.roots = roots
        self.damaged = damaged
        reader = try TreeReader(file, damaged: damaged)
        visited = PageBits(count: file.pageCount)
    }

    /// - Returns: a name for each page whose owner could be found.
    mutating func names(of pages: [UInt32]) throws -> [UInt32: String] {
        wanted = Set(pages)
        for page in pages { if let name = roots.names[page] { settle(page, name) } }
        if try hasPointerMap() { try climb() }
        if !wanted.isEmpty { try readFreeList() }
        if !wanted.isEmpty { try walk(includingLeaves: false) }
        if !wanted.isEmpty { try walk(includingLeaves: true) }
        return found
    }

    private mutating func settle(_ page: UInt32, _ name: String) {
        if wanted.remove(page) != nil { found[page] = name }
    }

    private func sound<Result>(_ page: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) throws -> Result? {
        try reader.withSoundPage(page, body)
    }

    // MARK: Upwards

    private func hasPointerMap() throws -> Bool { try sound(1) { $0.bigEndian(at: 52) != 0 } ?? false }

    private mutating func climb() throws {
        for page in wanted { if let name = try owner(above: page) { settle(page, name) } }
    }

    private func owner(above start: UInt32) throws -> String? {
        var page = start
        for _ in 0..<file.pageCount {
            let map = mapPage(of: page)
            if page == map { return Self.pointerMapName }
            if let name = roots.names[page] { return name }
            let place = 5 * Int(page - map - 1)
            guard let entry = try sound(map, { ($0[min(place, $0.count - 1)], $0.bigEndian(at: place + 1)) })
            else { return nil }
            switch entry.0 {
            case 2: return Self.freeListName
            case 3, 4, 5: page = entry.1
            default: return nil
            }
            guard page > 1, page <= file.pageCount else { return page == 1 ? TreeRoots.schemaName : nil }
        }
        return nil
    }

    /// The page of the map that has the entry of a page, or the page itself where it is one of the map.
    private func mapPage(of page: UInt32) -> UInt32 {
        let stride = UInt32(reader.usableSize / 5 + 1)
        let map = (page - 2) / stride * stride + 2
        return map == file.settings.lockPage ? map + 1 : map
    }

    // MARK: Downwards

    private mutating func readFreeList() throws {
        var trunk = try sound(1) { $0.bigEndian(at: 32) } ?? 0
        while trunk > 1, visited.insert(trunk) {
            settle(trunk, Self.freeListName)
            let list = try sound(trunk) { bytes in
                let count = min(Int(bytes.bigEndian(at: 4)), bytes.count / 4 - 2)
                return (bytes.bigEndian(at: 0), (0..<max(0, count)).map { bytes.bigEndian(at: 8 + 4 * $0) })
            }
            for leaf in list?.1 ?? [] { settle(leaf, Self.freeListName) }
            trunk = list?.0 ?? 0
        }
    }

    private mutating func walk(includingLeaves: Bool) throws {
        visited = PageBits(count: file.pageCount)
        for (root, name) in roots.names.sorted(by: { $0.key < $1.key }) where !wanted.isEmpty {
            let depth = includingLeaves ? Self.deepest : try depth(below: root)
            try walk(from: root, name, depth: depth, includingLeaves: includingLeaves)
        }
    }

    /// All leaves of a tree are as deep as each other: how deep, one way down tells.
    private func depth(below root: UInt32) throws -> Int {
        var page = root
        for depth in 0..<Self.deepest {
            let children = try sound(page) { TreePage($0, number: page)?.children ?? [] } ?? []
            guard let next = children.first(where: { !damaged.contains($0) }) else { return depth }
            page = next
        }
        return Self.deepest
    }

    private mutating func walk(from root: UInt32, _ name: String, depth: Int, includingLeaves: Bool) throws {
        var waiting: [(page: UInt32, level: Int)] = [(root, 0)]
        while let (page, level) = waiting.popLast(), !wanted.isEmpty {
            guard visited.insert(page) else { continue }
            settle(page, name)
            let below = try sound(page) { bytes -> ([UInt32], [UInt32]) in
                guard let tree = TreePage(bytes, number: page) else { return ([], []) }
                return (tree.children, includingLeaves ? tree.overflows : [])
            }
            for start in below?.1 ?? [] { try follow(start, name) }
            for child in below?.0 ?? [] {
                // A leaf is not read for its own sake.
                if level + 1 < depth { waiting.append((child, level + 1)) } else { settle(child, name) }
            }
        }
    }

    private mutating func follow(_ start: UInt32, _ name: String) throws {
        var page = start
        while page > 1, visited.insert(page) {
            settle(page, name)
            page = try sound(page) { $0.bigEndian(at: 0) } ?? 0
        }
    }
}

/// One bit for each page.
private struct PageBits {
    private var words: [UInt64]

    init(count: UInt32) {
        words = [UInt64](repeating: 0, count: Int(count) / 64 + 1)
    }

    /// - Returns: false for a page that is in already, or is none of the file's.
    mutating func insert(_ page: UInt32) -> Bool {
        let (word, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
        guard word < words.count, words[word] & bit == 0 else { return false }
        words[word] |= bit
        return true
    }
}
