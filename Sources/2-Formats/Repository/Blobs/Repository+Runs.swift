package import ValiseStorage

extension Repository {
    /// Reads blobs of one pack that lie behind each other, with one request.
    ///
    /// - Parameters:
    ///   - blobs: in the order of their places; what is between them is read as well.
    ///   - body: gets the number of each, and its content.
    /// - Throws: ``RepositoryError``: `damaged`; `StorageError`; whatever `body` throws.
    package func read(
        _ blobs: [PackedBlob], of pack: ContentID, _ body: (Int, [UInt8]) throws -> Void
    ) throws {
        guard let start = blobs.first?.range.lowerBound, let end = blobs.last?.range.upperBound else {
            return
        }
        guard end > start, zip(blobs, blobs.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.offset })
        else { throw RepositoryError(.damaged, "blobs overlap", .file(.data, pack)) }
        let bytes = try store.get(.file(.data, pack), start..<end)
        for (number, blob) in blobs.enumerated() {
            let place = Int(blob.offset - start)
            let content = try codecs.use { codec in
                try unsafe bytes.withUnsafeBytes { memory in
                    try unsafe blob.decode(
                        UnsafeRawBufferPointer(rebasing: memory[place..<place + blob.sealedLength]), in: pack,
                        &codec)
                }
            }
            try body(number, content)
        }
    }
}
