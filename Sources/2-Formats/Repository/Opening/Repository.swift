import Synchronization
import ValiseConcurrency
import ValiseFailures
package import ValiseStorage

/// A repository in the format of restic, opened with a password.
///
/// What is in it never changes: files are added, and removed by those that hold an exclusive lock. All calls block, and may
/// come from several threads. Source: the fact sheet on restic's repositories.
package final class Repository: Sendable {
    package let store: any BlobStore
    package let config: RepositoryConfig
    /// The key file that the password opened.
    package let keyID: ContentID
    let codecs: CodecPool
    let table = Mutex(BlobTable())

    var key: MasterKey { codecs.key }

    init(_ store: any BlobStore, _ config: RepositoryConfig, keyID: ContentID, _ key: MasterKey) {
        self.store = store
        self.config = config
        self.keyID = keyID
        codecs = CodecPool(key, version: config.version)
    }

    /// A codec of this repository, for one thread.
    /// - Throws: ``RepositoryError``; `SecretsError`.
    package func makeCodec() throws -> RepositoryCodec {
        try RepositoryCodec(codecs.key, version: config.version)
    }

    // MARK: Documents

    /// The JSON of a file of the folders index, snapshots or locks, whose digest is verified.
    /// - Throws: ``RepositoryError``: `damaged`, `unsupported`; `StorageError`.
    package func document(_ kind: StoredKind, _ id: ContentID) throws -> [UInt8] {
        let name = StoredName.file(kind, id)
        return try Self.twice {
            try codecs.use { try UnpackedFile.decode(store.get(name), name: name, &$0) }
        }
    }

    /// What seems to be damaged is read once more: it may be the answer of a server that was cut off, and whoever repairs removes
    /// what is damaged.
    static func twice<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as RepositoryError where error.kind == .damaged {
            return try body()
        }
    }

    /// Stores a JSON document.
    /// - Returns: its name.
    /// - Throws: ``RepositoryError``; `StorageError`.
    @discardableResult
    package func save(_ kind: StoredKind, _ json: [UInt8]) throws -> ContentID {
        let (id, bytes) = try codecs.use { try UnpackedFile.encode(json, &$0) }
        try store.put(.file(kind, id), bytes)
        return id
    }

    // MARK: Snapshots

    /// All snapshots, the oldest first. Those that cannot be read are reported and left out.
    ///
    /// List them before ``loadIndex(damaged:progress:)``: what a snapshot names was indexed before it was written.
    ///
    /// - Throws: `StorageError`; whatever `damaged` throws.
    package func snapshots(damaged: (any Error) throws -> Void) throws -> [StoredSnapshot] {
        let ids = try store.list(.snapshots).map(\.id)
        let found = Mutex<[StoredSnapshot]>([])
        let problems = Mutex<[RepositoryError]>([])
        try ParallelBatches.run(count: ids.count, workers: ParallelBatches.waitingWorkers) {
        } work: { _, number in
            let id = ids[number]
            do {
                let snapshot = StoredSnapshot(id: id, record: try SnapshotRecord(document(.snapshots, id)))
                found.withLock { $0.append(snapshot) }
            } catch let error as StorageError where error.code == .notFound {
                // It was forgotten after the list was made.
            } catch let error as RepositoryError {
                problems.withLock { $0.append(error.naming(.file(.snapshots, id))) }
            }
        }
        for problem in problems.withLock({ $0 }).sorted(by: { ($0.subject ?? "") < ($1.subject ?? "") }) {
            try damaged(problem)
        }
        return found.withLock { $0 }
            .sorted { ($0.record.time.utc, $0.id) < ($1.record.time.utc, $1.id) }
    }

    // MARK: Blobs

    /// Whether a blob is stored, as far as the index knows.
    package func contains(_ id: ContentID, _ kind: BlobKind) -> Bool {
        table.withLock { $0.contains(id, kind) }
    }

    /// Where a blob is.
    /// - Throws: ``RepositoryError``: `missing`.
    package func place(of id: ContentID, _ kind: BlobKind) throws -> (pack: ContentID, blob: PackedBlob) {
        guard let place = table.withLock({ $0.location(of: id, kind) }) else {
            throw RepositoryError(.missing, "\(kind.name) blob \(id) is in no index", id.text)
        }
        return (place.pack, PackedBlob(id, place))
    }

    /// The content of a blob. Where several packs have it, one that is intact is enough.
    /// - Throws: ``RepositoryError``: `missing`, `damaged`; `StorageError`.
    package func blob(_ id: ContentID, _ kind: BlobKind) throws -> [UInt8] {
        try content(of: id, kind, table.withLock { $0.locations(of: id, kind) })
    }

    /// The content of a blob that is at one of some places.
    func content(of id: ContentID, _ kind: BlobKind, _ places: [BlobLocation]) throws -> [UInt8] {
        var problem: (any Error)?
        for place in places {
            do {
                return try content(of: PackedBlob(id, place), in: place.pack)
            } catch  where Self.isOfFile(error) {
                problem = problem ?? error
            }
        }
        throw problem ?? RepositoryError(.missing, "\(kind.name) blob \(id) is in no index", id.text)
    }

    /// The content of a blob at one place.
    /// - Throws: ``RepositoryError``; `StorageError`.
    func content(of blob: PackedBlob, in pack: ContentID) throws -> [UInt8] {
        guard blob.fitsMemory else {
            throw RepositoryError(.unsupported, "blob \(blob.id) is too large", .file(.data, pack))
        }
        return try Self.twice {
            let sealed = try store.get(.file(.data, pack), blob.range)
            return try codecs.use { try blob.decode(sealed, in: pack, &$0) }
        }
    }

    /// Whether a failure is one of this file alone, so that the others may be intact, rather than of the store, of memory or of
    /// a caller that stops.
    static func isOfFile(_ error: any Error) -> Bool {
        switch error {
        case let error as RepositoryError:
            [.damaged, .unsupported, .missing, .newer].contains(error.kind)
        case let error as StorageError: error.kind == .general && error.code != .interrupted
        default: false
        }
    }

    /// How many blobs the index has, each as often as it is in packs.
    package var blobCount: Int { table.withLock { $0.count } }

    /// Nothing is known of these packs any more: no index names them, or they are gone.
    func forget(_ packs: some Sequence<ContentID>) { table.withLock { $0.remove(packs) } }
}

/// A snapshot with its name.
package struct StoredSnapshot: Sendable, Equatable {
    package let id: ContentID
    package let record: SnapshotRecord

    package init(id: ContentID, record: SnapshotRecord) {
        self.id = id
        self.record = record
    }
}

extension BlobTable {
    /// All places of a blob.
    func locations(of id: ContentID, _ kind: BlobKind) -> [BlobLocation] {
        positions(of: id).map(location(at:)).filter { $0.kind == kind }
    }
}

extension PackedBlob {
    /// Whether the index says a length that a blob may have: any number can be in it.
    var fitsMemory: Bool {
        sealedLength <= Self.largest + SealingContext.overhead && contentLength <= Self.largest
    }

    /// A blob where the index says that it is.
    init(_ id: ContentID, _ place: BlobLocation) {
        self.init(
            place.kind, id, offset: Int64(place.offset), sealedLength: Int(place.length),
            contentLength: place.uncompressedLength.map(Int.init))
    }
}

extension IndexedPack {
    /// What the index has of a pack that was written or whose header was read.
    /// - Throws: ``RepositoryError``: `unsupported` for a pack of more than 4 GiB.
    package init(_ id: ContentID, _ blobs: [PackedBlob]) throws(RepositoryError) {
        var indexed: [IndexedBlob] = []
        indexed.reserveCapacity(blobs.count)
        for blob in blobs {
            guard let offset = UInt32(exactly: blob.offset), let length = UInt32(exactly: blob.sealedLength),
                let contentLength = UInt32(exactly: blob.contentLength)
            else { throw RepositoryError(.unsupported, "a pack of more than 4 GiB", .file(.data, id)) }
            indexed.append(
                IndexedBlob(
                    id: blob.id, kind: blob.kind, offset: offset, length: length,
                    uncompressedLength: blob.isCompressed ? contentLength : nil))
        }
        self.init(id: id, blobs: indexed)
    }
}
