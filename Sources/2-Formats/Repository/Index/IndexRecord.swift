import ValiseStorage

/// An index file: which blobs are where in which packs.
package enum IndexRecord {
    /// A new file begins behind so many blobs.
    package static let mostBlobs = 50_000

    /// Reads the JSON of an index, one pack after the other, so that no more than one is in memory beside the text and what
    /// the caller keeps.
    ///
    /// Packs that are marked for removal are passed on too, with that mark. `supersedes` of old versions is ignored, as restic
    /// does.
    ///
    /// - Throws: ``RepositoryError``, `damaged`; whatever the body throws.
    package static func read(_ json: [UInt8], _ body: (IndexedPack) throws -> Void) throws {
        var reader = RecordReader(json)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if try reader.takeNull() { continue }
            switch key {
            case .packs, .markedPacks:
                try reader.beginArray()
                while try reader.nextElement() {
                    var pack = try reader.pack()
                    pack.isMarked = key == .markedPacks
                    try body(pack)
                }
            default: try reader.skip()
            }
        }
        try reader.end()
    }
}

extension RecordReader {
    /// Smaller than the smallest header entry, so that no pack within the limits is refused: 16 MiB of header have fewer.
    private static let mostBlobs = 500_000

    fileprivate mutating func pack() throws(RepositoryError) -> IndexedPack {
        var id: ContentID?
        var blobs: [IndexedBlob] = []
        var time: RecordTime?
        try beginObject()
        while let key = try nextKey() {
            if try takeNull() { continue }
            switch key {
            case .id: id = try self.id()
            case .blobs:
                try beginArray()
                while try nextElement() {
                    guard blobs.count < Self.mostBlobs else { throw damage("too many blobs in one pack") }
                    blobs.append(try blob())
                }
            case .time: time = try self.time()
            default: try skip()
            }
        }
        guard let id else { throw damage("a pack without its name") }
        var pack = IndexedPack(id: id, blobs: blobs)
        pack.time = time
        return pack
    }

    private mutating func blob() throws(RepositoryError) -> IndexedBlob {
        var id: ContentID?
        var kind: BlobKind?
        var offset: UInt32?
        var length: UInt32?
        var uncompressedLength: UInt32 = 0
        try beginObject()
        while let key = try nextKey() {
            if try takeNull() { continue }
            switch key {
            case .id: id = try self.id()
            case .type: kind = try blobKind()
            case .offset: offset = try unsigned()
            case .length: length = try unsigned()
            case .uncompressedLength: uncompressedLength = try unsigned()
            default: try skip()
            }
        }
        guard let id, let kind, let offset, let length else { throw damage("a blob without its place") }
        return IndexedBlob(
            id: id, kind: kind, offset: offset, length: length,
            uncompressedLength: uncompressedLength == 0 ? nil : uncompressedLength)
    }

    private mutating func blobKind() throws(RepositoryError) -> BlobKind {
        // Read as a name of a field, which takes no memory.
        switch try key() {
        case .data: return .data
        case .tree: return .tree
        default: throw damage("a blob of an unknown type")
        }
    }
}

extension RecordKey {
    fileprivate static let packs: RecordKey = "packs"
    fileprivate static let markedPacks: RecordKey = "packs_to_delete"
    fileprivate static let id: RecordKey = "id"
    fileprivate static let blobs: RecordKey = "blobs"
    fileprivate static let time: RecordKey = "time"
    fileprivate static let type: RecordKey = "type"
    fileprivate static let data: RecordKey = "data"
    fileprivate static let tree: RecordKey = "tree"
    fileprivate static let offset: RecordKey = "offset"
    fileprivate static let length: RecordKey = "length"
    fileprivate static let uncompressedLength: RecordKey = "uncompressed_length"
}
