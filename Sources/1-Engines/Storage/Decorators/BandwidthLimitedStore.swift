/// Leaves a part of the line to others: no more than so many bytes a second go up and come down, on average over files.
package struct BandwidthLimitedStore: BlobStore {
    private let store: any BlobStore
    private let upload: TokenBucket?
    private let download: TokenBucket?
    private let checkpoint: @Sendable () throws -> Void

    /// - Parameters:
    ///   - store: what is asked.
    ///   - upload: bytes a second; nil for no limit.
    ///   - download: bytes a second; nil for no limit.
    ///   - clock: waits.
    ///   - checkpoint: is asked before each transfer and often in pauses; throw to stop.
    package init(
        _ store: any BlobStore, upload: Int64?, download: Int64?, clock: StorageClock = StorageClock(),
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        self.store = store
        self.upload = upload.map { TokenBucket($0, clock) }
        self.download = download.map { TokenBucket($0, clock) }
        self.checkpoint = checkpoint
    }

    package var location: String { store.location }

    package func create() throws { try store.create() }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        try upload?.take(content.count, checkpoint)
        try store.put(name, content)
    }

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        // How much comes is known afterwards only.
        try download?.take(0, checkpoint)
        let bytes = try store.get(name, range)
        download?.charge(bytes.count)
        return bytes
    }

    package func size(of name: StoredName) throws -> Int64 { try store.size(of: name) }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        try store.list(kind, body)
    }

    package func remove(_ name: StoredName) throws { try store.remove(name) }
}
