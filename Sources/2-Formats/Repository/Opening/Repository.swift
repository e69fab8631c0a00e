import Synchronization
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
        let stored = try store.get(name)
        return try codecs.use { try UnpackedFile.decode(stored, name: name, &$0) }
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
    /// List them before ``loadIndex(_:)``: what a snapshot names was indexed before it was written.
    ///
    /// - Throws: `StorageError`; whatever `damaged` throws.
    package func snapshots(damaged: (any Error) throws -> Void) throws -> [StoredSnapshot] {
        var found: [StoredSnapshot] = []
        for (id, _) in try store.list(.snapshots) {
            do {
                found.append(StoredSnapshot(id: id, record: try SnapshotRecord(document(.snapshots, id))))
            } catch let error as StorageError where error.code == .notFound {
                // It was forgotten after the list was made.
                continue
            } catch let error as RepositoryError {
                try damaged(error.naming(.file(.snapshots, id)))
            }
        }
        return found.sorted { ($0.record.time.utc, $0.id) < ($1.record.time.utc, $1.id) }
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

    /// The content of a blob.
    /// - Throws: ``RepositoryError``: `missing`, `damaged`; `StorageError`.
    package func blob(_ id: ContentID, _ kind: BlobKind) throws -> [UInt8] {
        let (pack, blob) = try place(of: id, kind)
        let sealed = try store.get(.file(.data, pack), blob.range)
        return try codecs.use { try blob.decode(sealed, in: pack, &$0) }
    }

    /// How many blobs the index has, each as often as it is in packs.
    package var blobCount: Int { table.withLock { $0.count } }
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

extension PackedBlob {
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
