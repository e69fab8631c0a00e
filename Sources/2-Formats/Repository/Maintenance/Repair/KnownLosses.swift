import ValiseStorage

/// What is known to be lost.
struct KnownLosses: Sendable {
    let table: BlobTable
    private let packs: StoredPacks
    private let isDamaged: @Sendable (CheckFinding.Blob) -> Bool

    init(
        _ table: BlobTable, _ packs: StoredPacks, _ isDamaged: @escaping @Sendable (CheckFinding.Blob) -> Bool
    ) {
        self.table = table
        self.packs = packs
        self.isDamaged = isDamaged
    }

    /// Whether no stored pack can have a blob.
    func contains(_ id: ContentID, _ kind: BlobKind) -> Bool {
        if isDamaged(CheckFinding.Blob(kind: kind, id: id)) { return true }
        return table.locations(of: id, kind).allSatisfy { place in
            guard let size = packs.size(of: place.pack) else { return true }
            return Int64(place.offset) + Int64(place.length) > size
        }
    }
}
