import ValiseFailures

/// For stores that have their objects in memory anyway, or pass them through it: in terms of arrays, which stay small.
extension ObjectStore {
    @discardableResult
    package func put(
        _ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition
    ) throws -> ObjectVersion {
        guard source.size <= ObjectStream.mostBytesInMemory else {
            throw StorageError(.general, .unsupported, "object is too large for this store", key.text)
        }
        return try put(key, source.content(), if: condition)
    }

    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        var (place, version) = (range.lowerBound, ObjectVersion?.none)
        repeat {
            let end = min(place + ObjectStream.mostPieceBytes, range.upperBound)
            let found = try get(key, place..<end, mostBytes: Int(ObjectStream.mostPieceBytes))
            guard version == nil || version == found.version else { throw StorageError.replaced(key) }
            version = found.version
            if !found.content.isEmpty {
                try unsafe found.content.withUnsafeBytes { try unsafe take($0, found.version) }
            }
            place = end
        } while place < range.upperBound
        guard let size = try attributes(of: key)?.size else { throw StorageError.noObject(key) }
        return size
    }
}

/// How much of an object is in memory.
enum ObjectStream {
    /// Of an object that is stored at once.
    static let mostBytesInMemory: Int64 = 64 << 20
    /// Of one that is read.
    static let mostPieceBytes: Int64 = 1 << 20
}
