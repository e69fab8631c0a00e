import ValiseConcurrency

/// Reads chunks of a file side by side and hands their content over in order.
struct ChunkRun: Sendable {
    private let reader: ChunkReader

    /// Up to this size of chunks, all that are in flight fit into the memory even where each is the largest of its profile, so
    /// that nobody has to ask for sizes first.
    private static let mostExpected = 3 << 20

    init(_ reader: ChunkReader) { self.reader = reader }

    /// Reads some chunks.
    ///
    /// - Parameters:
    ///   - numbers: of the chunks.
    ///   - take: gets the content of each in order, on any thread.
    ///   - report: called on the calling thread; throw to stop.
    /// - Throws: ``ContentStoreError``; `StorageError`; whatever a closure throws.
    func run(
        _ numbers: Range<Int>, take: @Sendable (Int, [UInt8]) throws -> Void,
        report: () throws -> Void
    ) throws {
        let next = NextChunk(numbers.lowerBound)
        @Sendable func takeNext(_ number: Int, _ content: [UInt8]) throws {
            try take(number, content)
            next.number = number + 1
        }
        let reader = reader
        if let most = expectedMost {
            do {
                return try pieces({ _ in most }, { try reader.content($0, most: $1) })
                    .run(numbers, take: takeNext) { _ in try report() }
            } catch is LargerChunk {
                // Another chunker than we know: the rest is asked for its sizes.
            }
        }
        try pieces({ try reader.storedSize($0) }, { number, _ in try reader.content(number) })
            .run(next.number..<numbers.upperBound, take: takeNext) { _ in try report() }
    }

    /// More than the largest chunk of a profile whose chunks have this mean; nil where that is much.
    private var expectedMost: Int? {
        let mean = reader.file.size / Int64(max(1, reader.file.chunks.count))
        guard mean < Int64(Self.mostExpected) / 16 - 4096 else { return nil }
        return Int(mean) * 16 + (64 << 10)
    }

    private func pieces(
        _ size: @escaping @Sendable (Int) throws -> Int,
        _ fetch: @escaping @Sendable (Int, Int) throws -> [UInt8]
    ) -> OrderedPieces<[UInt8]> {
        let rules = reader.store.rules
        return OrderedPieces(
            workers: rules.chunksInFlight, budget: rules.chunkMemory, size: size, fetch: fetch,
            weight: { $0.count })
    }
}
