package import ValiseStorage

/// A blob of a pack, as the index has it.
package struct IndexedBlob: Sendable, Equatable {
    package let id: ContentID
    package let kind: BlobKind
    package let offset: UInt32
    /// Sealed, as it is in the pack.
    package let length: UInt32
    /// Nil where it is not compressed.
    package let uncompressedLength: UInt32?

    package init(
        id: ContentID, kind: BlobKind, offset: UInt32, length: UInt32, uncompressedLength: UInt32? = nil
    ) {
        self.id = id
        self.kind = kind
        self.offset = offset
        self.length = length
        self.uncompressedLength = uncompressedLength
    }
}

/// A pack of an index file.
package struct IndexedPack: Sendable, Equatable {
    package let id: ContentID
    /// In any order.
    package var blobs: [IndexedBlob]
    /// Whether rustic marked it for removal. Nobody may count on its blobs: the pack is deleted later, and restic does not know
    /// it at all.
    package var isMarked = false
    /// When rustic wrote or marked it.
    package var time: RecordTime?

    package init(id: ContentID, blobs: [IndexedBlob]) {
        self.id = id
        self.blobs = blobs
    }
}
