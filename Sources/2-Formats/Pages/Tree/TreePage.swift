/// Which of the two kinds of b-trees.
package enum TreeKind: Sendable, Equatable {
    /// Keyed by row id, rows in the leaves.
    case table
    /// Keyed by records: indexes, and tables without row ids.
    case index
}

/// One page of a b-tree. Nothing of what it says is believed before it was compared with its size.
package struct TreePage: Sendable {
    package let number: UInt32
    package let kind: TreeKind
    package let isLeaf: Bool
    package let cellCount: Int
    /// The child behind the last cell; nil in a leaf.
    package let lastChild: UInt32?

    private let page: PageBytes
    private let pointers: Int

    private static let smallestCell = 4
    /// SQLite's own limit: with fewer bytes its sizes of cells become negative.
    private static let smallestPage = 480

    /// Nil where the bytes are no page of a b-tree.
    package init?(_ number: UInt32, _ bytes: [UInt8]) {
        guard bytes.count >= Self.smallestPage else { return nil }
        page = PageBytes(bytes: bytes)
        let start = number == 1 ? DatabaseHeader.size : 0
        guard let type = page.byte(start), let count = page.number16(start + 3) else { return nil }
        switch type {
        case 2: (kind, isLeaf) = (.index, false)
        case 5: (kind, isLeaf) = (.table, false)
        case 10: (kind, isLeaf) = (.index, true)
        case 13: (kind, isLeaf) = (.table, true)
        default: return nil
        }
        self.number = number
        cellCount = count
        pointers = start + (isLeaf ? 8 : 12)
        guard count * (Self.smallestCell + 2) + pointers <= bytes.count + Self.smallestCell else {
            return nil
        }
        lastChild = isLeaf ? nil : page.number32(start + 8)
        guard isLeaf || (lastChild ?? 0) > 0 else { return nil }
    }

    /// One cell; nil where it does not lie in the page.
    package func cell(_ index: Int) -> TreeCell? {
        guard index >= 0, index < cellCount, let offset = page.number16(pointers + 2 * index),
            offset >= pointers + 2 * cellCount
        else { return nil }
        var position = offset
        var child: UInt32?
        if !isLeaf {
            child = page.number32(position)
            guard child != nil else { return nil }
            position += 4
        }
        if kind == .table, !isLeaf {
            guard let key = page.varint(position) else { return nil }
            return TreeCell(child: child, rowID: key.value, payload: nil)
        }
        return content(position, child)
    }

    /// All cells, but for those that do not lie in the page.
    package var cells: some Sequence<TreeCell> { (0..<cellCount).lazy.compactMap { cell($0) } }

    /// The pages below this one, in the order of their keys.
    package var children: [UInt32] {
        guard let lastChild else { return [] }
        return cells.compactMap(\.child) + [lastChild]
    }

    private func content(_ start: Int, _ child: UInt32?) -> TreeCell? {
        guard let size = page.varint(start) else { return nil }
        var position = size.end
        var rowID: Int64?
        if kind == .table {
            guard let key = page.varint(position) else { return nil }
            (rowID, position) = (key.value, key.end)
        }
        guard let size = Int(exactly: size.value), size >= 0, size <= TreeCell.Payload.largest else {
            return nil
        }
        let local = localSize(of: size)
        guard local <= page.count - position else { return nil }
        let next = local < size ? page.number32(position + local) : nil
        guard local == size || next != nil else { return nil }
        let bytes = Array(page.bytes[position..<position + local])
        return TreeCell(
            child: child, rowID: rowID,
            payload: TreeCell.Payload(size: size, local: bytes, overflow: next))
    }

    /// How much of a payload lies in the cell itself, by the rules of the file format.
    private func localSize(of size: Int) -> Int {
        let usable = page.count
        let most = kind == .table ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - 4)
        return fitting <= most ? fitting : least
    }
}

/// What one cell of a b-tree holds.
package struct TreeCell: Sendable {
    /// A record, perhaps continued on overflow pages.
    package struct Payload: Sendable {
        /// In bytes, all parts together.
        package let size: Int
        package let local: [UInt8]
        /// The first overflow page; nil where all is local.
        package let overflow: UInt32?

        /// The overflow page that follows one with these bytes; 0 after the last, nil where they say nothing.
        package static func next(after page: [UInt8]) -> UInt32? { PageBytes(bytes: page).number32(0) }

        /// SQLite's own limit for a row.
        static let largest = 0x7fff_ffff
    }

    /// The child with the keys up to this cell's; nil in a leaf.
    package let child: UInt32?
    /// Nil in an index.
    package let rowID: Int64?
    /// Nil in the inner pages of a table.
    package let payload: Payload?
}
