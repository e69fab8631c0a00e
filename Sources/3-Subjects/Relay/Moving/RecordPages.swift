/// Chunks of records in the order of their names, read a page at a time: nothing is locked or held open while somebody works on
/// what was read.
struct RecordPages {
    /// In names: some megabytes of memory. A chunk with its recipients is not divided.
    static let usualSize = 16_384

    private let records: any ChunkRecords
    private let size: Int
    private var page: ArraySlice<ListedChunk> = []
    private var last: StoredID?
    private var isAtEnd = false

    /// - Parameter size: in names, those of chunks and of recipients.
    init(_ records: any ChunkRecords, size: Int = usualSize) {
        self.records = records
        self.size = size
    }

    /// The next one, which stays; nil at the end.
    /// - Throws: ``XFTPStoreError``.
    mutating func peek() throws -> ListedChunk? {
        if page.isEmpty, !isAtEnd { try turn() }
        return page.first
    }

    /// How many are in memory.
    var waiting: Int { page.count }

    /// Goes on behind the next one.
    mutating func skip() { _ = page.popFirst() }

    private mutating func turn() throws {
        var (found, names) = ([ListedChunk](), 0)
        isAtEnd = true
        try records.forEach(after: last) { chunk in
            found.append(chunk)
            names += chunk.nameCount
            guard names < size else {
                isAtEnd = false
                return false
            }
            return true
        }
        last = found.last?.chunk.id
        page = found[...]
    }
}

/// A chunk as two stores have it. One of both may be nil.
struct StorePair: Sendable {
    let source: ListedChunk?
    let destination: ListedChunk?

    /// How many names there are to work on.
    var nameCount: Int { (source?.nameCount ?? 0) + (destination?.nameCount ?? 0) }
}

/// The chunks of two stores side by side, in the order of their names. What is written meanwhile to the destination, in the order in
/// which the pairs come, does not come as a pair.
struct StorePairs {
    private var source: RecordPages
    private var destination: RecordPages

    init(_ source: any ChunkRecords, _ destination: any ChunkRecords, pageSize: Int = RecordPages.usualSize) {
        self.source = RecordPages(source, size: pageSize)
        self.destination = RecordPages(destination, size: pageSize)
    }

    /// - Returns: nil at the end.
    /// - Throws: ``XFTPStoreError``.
    mutating func next() throws -> StorePair? {
        let (one, other) = (try source.peek(), try destination.peek())
        guard let id = [one, other].compactMap({ $0?.chunk.id }).min() else { return nil }
        let pair = StorePair(
            source: one?.chunk.id == id ? one : nil, destination: other?.chunk.id == id ? other : nil)
        if pair.source != nil { source.skip() }
        if pair.destination != nil { destination.skip() }
        return pair
    }

    /// The next ones, until they have so many names together.
    mutating func next(names: Int) throws -> [StorePair] {
        var (pairs, count) = ([StorePair](), 0)
        while count < names, let pair = try next() {
            pairs.append(pair)
            count += pair.nameCount
        }
        return pairs
    }
}

extension ListedChunk {
    /// That of its sender, and those of its recipients.
    var nameCount: Int { 1 + recipients.count }
}
