import Synchronization
import ValiseConcurrency
import ValiseStorage

/// All index files of a repository, for maintenance: nothing of them is passed over in silence.
struct StoredIndex: Sendable {
    /// A pack that is in more than one index file.
    struct Repeated: Sendable {
        let pack: ContentID
        let file: ContentID
        /// Whether the files say the same.
        let isEqual: Bool
    }

    private(set) var table = BlobTable()
    /// Those that could be read.
    private(set) var files: [ContentID] = []
    private(set) var unreadable: [(file: ContentID, error: any Error)] = []
    private(set) var repeated: [Repeated] = []
    /// Packs that rustic marked for removal, and that no file lists as packs of the repository.
    private(set) var marked: [IndexedPack] = []

    /// - Throws: `StorageError`; whatever `progress` throws.
    static func read(_ repository: Repository, _ progress: MaintenanceProgress) throws -> StoredIndex {
        let files = try repository.store.list(.index).map(\.id)
        let index = Mutex(StoredIndex())
        try ParallelBatches.run(count: files.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            do {
                // All of a file or nothing: what is read by half would be taken for all that it has.
                let packs = try packs(of: files[number], repository)
                try index.withLock { index throws in try index.add(packs, of: files[number]) }
            } catch  where Repository.isOfFile(error) {
                index.withLock { $0.unreadable.append((files[number], error)) }
            }
        } report: {
            try progress(.index, Int64($0), Int64(files.count))
        }
        var all = index.withLock { $0 }
        all.table.settle()
        all.files.sort()
        all.unreadable.sort { $0.file < $1.file }
        let table = all.table
        var seen: Set<ContentID> = []
        all.marked = all.marked.filter { !table.hasPack($0.id) && seen.insert($0.id).inserted }
        return all
    }

    /// - Throws: ``RepositoryError``; `StorageError`.
    static func packs(of file: ContentID, _ repository: Repository) throws -> [IndexedPack] {
        let json = try repository.document(.index, file)
        var packs: [IndexedPack] = []
        if !json.isEmpty { try IndexRecord.read(json) { packs.append($0) } }
        return packs
    }

    private mutating func add(_ packs: [IndexedPack], of file: ContentID) throws {
        files.append(file)
        for pack in packs {
            guard !pack.isMarked else {
                marked.append(pack)
                continue
            }
            guard try !table.add(pack, settles: false) else { continue }
            table.settle()
            repeated.append(Repeated(pack: pack.id, file: file, isEqual: table.matches(pack)))
        }
    }

    /// Counts the marked packs as packs of the repository. They come last: a blob that is elsewhere, too, is found there.
    mutating func includeMarked() throws {
        for pack in marked { try table.add(pack, settles: false) }
        table.settle()
    }

    /// All that index files say of some packs: a blob for each place, with its full identifier.
    ///
    /// - Throws: `StorageError`; whatever `progress` throws.
    static func blobs(
        ofPacks wanted: Set<ContentID>, _ files: [ContentID], _ repository: Repository,
        _ progress: MaintenanceProgress
    ) throws -> [ContentID: [PackedBlob]] {
        var found: [ContentID: Set<PackedBlob>] = [:]
        for (number, file) in files.enumerated() where !wanted.isEmpty {
            try progress(.index, Int64(number), Int64(files.count))
            do {
                for pack in try packs(of: file, repository) where wanted.contains(pack.id) {
                    found[pack.id, default: []].formUnion(pack.blobs.map(PackedBlob.init))
                }
            } catch  where Repository.isOfFile(error) {
                // It is named where all of them are read.
            }
        }
        return found.mapValues { $0.sorted { $0.offset < $1.offset } }
    }
}

extension PackedBlob {
    /// A blob as an index has it.
    init(_ blob: IndexedBlob) {
        self.init(
            blob.kind, blob.id, offset: Int64(blob.offset), sealedLength: Int(blob.length),
            contentLength: blob.uncompressedLength.map(Int.init))
    }
}
