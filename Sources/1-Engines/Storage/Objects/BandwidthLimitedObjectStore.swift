/// Leaves a part of the line to others: no more than so many bytes a second go up and come down, on average over objects.
package struct BandwidthLimitedObjectStore: ObjectStore {
    private let store: any ObjectStore
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
        _ store: any ObjectStore, upload: Int64?, download: Int64?, clock: StorageClock = StorageClock(),
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        self.store = store
        self.upload = upload.map { TokenBucket($0, clock) }
        self.download = download.map { TokenBucket($0, clock) }
        self.checkpoint = checkpoint
    }

    package var location: String { store.location }

    package func hasConditionalWrites() throws -> Bool { try store.hasConditionalWrites() }

    package func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        // How much comes is known afterwards only.
        try download?.take(0, checkpoint)
        let object = try store.get(key, range, mostBytes: mostBytes)
        download?.charge(object.content.count)
        return object
    }

    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        try download?.take(0, checkpoint)
        return try unsafe store.read(key, range) { piece, version in
            download?.charge(piece.count)
            try unsafe take(piece, version)
        }
    }

    package func attributes(of key: ObjectKey) throws -> ObjectAttributes? { try store.attributes(of: key) }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        try upload?.take(content.count, checkpoint)
        return try store.put(key, content, if: condition)
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition
    ) throws -> ObjectVersion {
        try upload?.take(Int(source.size), checkpoint)
        return try store.put(key, source, if: condition)
    }

    package func remove(_ key: ObjectKey) throws { try store.remove(key) }

    package func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        try store.list(prefix, isDelimited: isDelimited, after: after, body)
    }
}
