package import ValiseStorage

/// Where a blob is.
package struct BlobLocation: Sendable, Equatable {
    package let pack: ContentID
    package let kind: BlobKind
    package let offset: UInt32
    /// Sealed, as it is in the pack.
    package let length: UInt32
    /// Nil where it is not compressed.
    package let uncompressedLength: UInt32?
}

/// One blob of a ``BlobTable``. A blob that is in two packs has two.
package struct BlobPosition: Sendable, Hashable, Comparable {
    let rawValue: UInt32

    package static func < (left: BlobPosition, right: BlobPosition) -> Bool { left.rawValue < right.rawValue }
}
