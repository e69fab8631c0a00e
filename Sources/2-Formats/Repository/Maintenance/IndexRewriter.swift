import ValiseStorage

/// Writes index files anew, without some packs. Files that have none of these stay as they are.
///
/// The old files are removed by the caller, after everything is written: until then some packs are listed twice, which all
/// programs accept.
struct IndexRewriter: Sendable {
    private let repository: Repository
    private var encoder = IndexEncoder()
    /// Packs that a file has that stays, or that is written.
    private var listed: Set<ContentID> = []
    /// The new files.
    private(set) var written: [ContentID] = []
    /// Those that are to be removed.
    private(set) var obsolete: [ContentID] = []

    init(_ repository: Repository) { self.repository = repository }

    /// Adds a pack.
    /// - Throws: ``RepositoryError``; `StorageError`.
    mutating func append(_ pack: IndexedPack) throws {
        guard listed.insert(pack.id).inserted else { return }
        encoder.append(pack)
        if encoder.isFull { try flush() }
    }

    /// Rewrites files.
    ///
    /// - Parameters:
    ///   - files: of the repository; they can be read.
    ///   - joins: whether files stay only when they are full.
    ///   - isKept: whether a pack stays in the index.
    /// - Throws: ``RepositoryError``; `StorageError`; whatever `progress` throws.
    mutating func rewrite(
        _ files: [ContentID], joining joins: Bool = false, keeping isKept: (IndexedPack) -> Bool,
        _ progress: MaintenanceProgress
    ) throws {
        for (number, file) in files.enumerated() {
            try progress(.writingIndex, Int64(number), Int64(files.count))
            let packs = try StoredIndex.packs(of: file, repository)
            let kept = packs.filter { isKept($0) && !listed.contains($0.id) }
            let blobs = kept.reduce(0) { $0 + $1.blobs.count }
            let isSmall = blobs < IndexRecord.mostBlobs / 2
            if kept.count == packs.count, !packs.isEmpty, !packs.contains(where: \.isMarked),
                !(joins && isSmall)
            {
                listed.formUnion(packs.map(\.id))
                continue
            }
            obsolete.append(file)
            for pack in kept { try append(pack) }
        }
    }

    /// Writes what is left.
    /// - Throws: ``RepositoryError``; `StorageError`.
    mutating func finish() throws { if encoder.count > 0 { try flush() } }

    private mutating func flush() throws {
        let full = encoder
        encoder = IndexEncoder()
        written.append(try repository.save(.index, full.finish()))
    }
}
