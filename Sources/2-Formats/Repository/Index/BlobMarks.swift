package import ValiseStorage

/// Marks on blobs of a ``BlobTable``, a bit each: those that snapshots use, or those that were visited already.
package struct BlobMarks: Sendable {
    private var words: [UInt64]
    /// Blobs that are marked.
    package private(set) var count = 0

    /// - Parameter table: whose blobs are marked. Others may be added to it later.
    package init(_ table: BlobTable) {
        words = Array(repeating: 0, count: Int(table.lengths.endPosition) / 64 + 1)
    }

    /// Whether a blob is marked.
    package func contains(_ position: BlobPosition) -> Bool {
        let place = Int(position.rawValue) / 64
        return place < words.count && words[place] >> UInt64(position.rawValue % 64) & 1 == 1
    }

    /// - Returns: whether it was not marked before.
    @discardableResult
    package mutating func insert(_ position: BlobPosition) -> Bool {
        guard !contains(position) else { return false }
        let place = Int(position.rawValue) / 64
        while place >= words.count { words.append(0) }
        words[place] |= 1 << UInt64(position.rawValue % 64)
        count += 1
        return true
    }
}

/// How much of a pack is marked.
package struct PackUsage: Sendable, Equatable {
    package let pack: ContentID
    package var usedBlobs = 0
    package var unusedBlobs = 0
    /// Sealed, without the header.
    package var usedBytes: Int64 = 0
    /// Sealed, without the header.
    package var unusedBytes: Int64 = 0
    /// Whether a blob of it is a tree, and whether one is data: a pack with both is not written any more.
    package var kinds: Set<BlobKind> = []
}

extension BlobTable {
    /// How much of a pack is marked; nil for one that is not there.
    package func usage(ofPack id: ContentID, _ marks: BlobMarks) -> PackUsage? {
        guard hasPack(id) else { return nil }
        var usage = PackUsage(pack: id)
        for position in positions(inPack: id) {
            let place = lengths.place(at: position.rawValue)
            usage.kinds.insert(place.kind)
            if marks.contains(position) {
                usage.usedBlobs += 1
                usage.usedBytes += Int64(place.length)
            } else {
                usage.unusedBlobs += 1
                usage.unusedBytes += Int64(place.length)
            }
        }
        return usage
    }
}
