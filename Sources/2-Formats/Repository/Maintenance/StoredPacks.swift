import ValiseStorage

/// The packs that are stored, with their sizes, whatever an index says.
struct StoredPacks: Sendable {
    /// Sorted by names.
    let files: [(id: ContentID, size: Int64)]

    init(_ store: any BlobStore) throws { files = try store.list(.data) }

    /// In bytes; nil for a pack that is not stored.
    func size(of id: ContentID) -> Int64? {
        var (lower, upper) = (0, files.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if files[middle].id < id { lower = middle + 1 } else { upper = middle }
        }
        return lower < files.count && files[lower].id == id ? files[lower].size : nil
    }
}

extension BlobTable {
    /// What a pack has to have, as far as the table knows.
    struct ExpectedPack {
        /// With its header.
        var size: Int64 = Int64(SealingContext.overhead + PackHeader.lengthSize)
        /// Whether each blob begins where the one before ends.
        var isContinuous = true
        var kinds: Set<BlobKind> = []
    }

    func expectedPack(_ id: ContentID) -> ExpectedPack {
        var expected = ExpectedPack()
        var end: Int64 = 0
        for place in positions(inPack: id).map(location(at:)) {
            if Int64(place.offset) != end { expected.isContinuous = false }
            end = Int64(place.offset) + Int64(place.length)
            let isCompressed = place.uncompressedLength != nil
            expected.size += Int64(place.length)
            expected.size += Int64(
                isCompressed ? PackHeader.compressedEntrySize : PackHeader.plainEntrySize)
            expected.kinds.insert(place.kind)
        }
        return expected
    }

    /// Whether the table has exactly these blobs of a pack. It must be settled.
    func matches(_ pack: IndexedPack) -> Bool {
        let positions = positions(inPack: pack.id)
        let blobs = pack.blobs.sorted { $0.offset < $1.offset }
        guard positions.count == blobs.count else { return false }
        return zip(positions, blobs).allSatisfy { position, blob in
            let place = location(at: position)
            return place.kind == blob.kind && place.offset == blob.offset && place.length == blob.length
                && place.uncompressedLength == blob.uncompressedLength
                && self.positions(of: blob.id).contains(position)
        }
    }
}
