import ValiseStorage

/// A folder: what a tree blob says.
package struct Tree: Sendable {
    package let nodes: [TreeNode]
    /// Whether the names are in order, each one once. What is not can be read and restored, but not looked up.
    package let isSorted: Bool

    /// - Throws: ``RepositoryError``, `damaged`, where it is no tree.
    package init(_ blob: [UInt8]) throws(RepositoryError) {
        var nodes: [TreeNode] = []
        var reader = TreeReader(blob)
        while let node = try reader.next() { nodes.append(node) }
        self.nodes = nodes
        isSorted = reader.isSorted
    }
}

/// Reads a tree, one entry after the other: of a folder with 100,000 files only one is in memory, beside the blob.
package struct TreeReader: Sendable {
    private var reader: RecordReader
    private var place = Place.start
    private var last: [UInt8]?
    /// Whether all names so far are in order, each one once.
    package private(set) var isSorted = true

    private enum Place { case start, nodes, end }

    /// - Parameter blob: the JSON, which is not looked at yet.
    package init(_ blob: [UInt8]) { reader = RecordReader(blob) }

    /// The next entry; nil at the end.
    /// - Throws: ``RepositoryError``, `damaged`.
    package mutating func next() throws(RepositoryError) -> TreeNode? {
        if place == .start {
            try reader.beginObject()
            try findNodes()
        }
        while place == .nodes {
            if try reader.nextElement() {
                let node = try reader.node()
                if let last, !last.lexicographicallyPrecedes(node.name) { isSorted = false }
                last = node.name
                return node
            }
            try findNodes()
        }
        return nil
    }

    /// Up to the entries, past fields that nobody knows; the end where there are none.
    private mutating func findNodes() throws(RepositoryError) {
        while let key = try reader.nextKey() {
            if try reader.takeNull() { continue }
            if key == .nodes {
                try reader.beginArray()
                place = .nodes
                return
            }
            try reader.skip()
        }
        try reader.end()
        place = .end
    }
}

extension RecordKey {
    fileprivate static let nodes: RecordKey = "nodes"
}
