import Synchronization
package import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// A file of a store that is read at any place, chunk by chunk as it is needed.
///
/// Each chunk that is read is verified by its name; an encrypted one also by its place in the file. Chunks that are not read are
/// known by their sizes only: a host that lies about these can shift the content of a file that is not encrypted. Whoever needs
/// all of a file takes ``ContentStore/hydrate(_:to:_:fileSystem:progress:)``, which verifies its hash.
package final class StoredFile: ByteSource {
    package let size: Int64
    package let path: FilePath
    package let item: StoredItem
    private let reader: ChunkReader
    private let map: Mutex<ChunkMap>
    private let recent: Mutex<RecentChunks>

    /// Sizes that are asked for at a time.
    private static let sizesAtOnce = 64

    /// - Throws: ``ContentStoreError``: `unsupported` for a symbolic link, `noKey`, `wrongKey`; `SecretsError`.
    package init(_ store: ContentStore, _ item: StoredItem) throws {
        guard case .file(let file) = item.content else {
            throw ContentStoreError(.unsupported, "a symbolic link has no content", item.path.text)
        }
        self.item = item
        size = file.size
        path = FilePath(item.path.text)
        reader = try ChunkReader(store, file, item.path.text)
        map = Mutex(ChunkMap(size: file.size, count: file.chunks.count))
        recent = Mutex(RecentChunks(most: store.rules.chunkMemory / 2))
    }

    /// Fills the buffer from `offset`: fewer bytes only where the file ends.
    /// - Throws: ``ContentStoreError``: `missing`, `damaged`; `StorageError`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size, buffer.count > 0 else { return 0 }
        let range = offset..<min(size, offset + Int64(buffer.count))
        for number in try chunks(in: range) {
            let place = map.withLock { $0.range(of: number) }
            let content = try content(number, place)
            let part = range.clamped(to: place)
            guard !part.isEmpty else { continue }
            unsafe content.withUnsafeBytes { memory in
                let source = unsafe UnsafeRawBufferPointer(
                    rebasing: memory[
                        Int(part.lowerBound - place.lowerBound)..<Int(part.upperBound - place.lowerBound)])
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[Int(part.lowerBound - offset)...])
                    .copyMemory(from: source)
            }
        }
        return Int(range.upperBound - range.lowerBound)
    }

    /// Reads a range and hands it over piece by piece, several chunks in flight.
    ///
    /// - Parameters:
    ///   - range: what lies behind the end of the file is left out.
    ///   - take: gets each piece in order, on any thread.
    ///   - report: called on the calling thread; throw to stop.
    /// - Throws: ``ContentStoreError``: `missing`, `damaged`; `StorageError`; whatever a closure throws.
    package func read(
        _ range: Range<Int64>, take: @Sendable (ArraySlice<UInt8>) throws -> Void, report: () throws -> Void
    ) throws {
        let range = range.clamped(to: 0..<size)
        guard !range.isEmpty else { return }
        let chunks = try chunks(in: range)
        try ChunkRun(reader).run(chunks) { number, content in
            let place = map.withLock { $0.range(of: number) }
            try check(content, place)
            let part = range.clamped(to: place)
            try take(
                content[Int(part.lowerBound - place.lowerBound)..<Int(part.upperBound - place.lowerBound)])
        } report: {
            try report()
        }
    }

    // MARK: Chunks

    private func content(_ number: Int, _ place: Range<Int64>) throws -> [UInt8] {
        if let content = recent.withLock({ $0[number] }) { return content }
        let content = try reader.content(number)
        try check(content, place)
        recent.withLock { $0.add(number, content) }
        return content
    }

    private func check(_ content: [UInt8], _ place: Range<Int64>) throws {
        guard content.count == place.upperBound - place.lowerBound else {
            throw ContentStoreError(.damaged, "a chunk has another size than the store says", item.path.text)
        }
    }

    /// The chunks that have a part of a range, once the map covers it.
    private func chunks(in range: Range<Int64>) throws -> Range<Int> {
        while true {
            if let found = map.withLock({ $0.covers(range) ? $0.chunks(in: range) : nil }) { return found }
            let wanted = map.withLock { $0.next(towards: range, most: Self.sizesAtOnce) }
            guard !wanted.numbers.isEmpty else { throw contradiction }
            let lengths = try lengths(wanted.numbers)
            try map.withLock { map throws in
                // Another thread may have asked for the same meanwhile.
                guard !map.covers(range), map.next(towards: range, most: Self.sizesAtOnce) == wanted else {
                    return
                }
                guard map.add(lengths, isFront: wanted.isFront) else {
                    // Nothing is believed of it.
                    map = ChunkMap(size: size, count: reader.file.chunks.count)
                    throw contradiction
                }
            }
        }
    }

    private func lengths(_ numbers: Range<Int>) throws -> [Int64] {
        // The only chunk is the file.
        if reader.file.chunks.count == 1 { return [size] }
        let found = Mutex([Int64](repeating: 0, count: numbers.count))
        try ParallelBatches.run(
            count: numbers.count, workers: min(numbers.count, reader.store.rules.chunksInFlight)
        ) {
        } work: { _, place in
            let size = try reader.storedSize(numbers.lowerBound + place)
            found.withLock { $0[place] = Int64(size) - reader.overhead }
        }
        return found.withLock { $0 }
    }

    private var contradiction: ContentStoreError {
        ContentStoreError(
            .damaged, "the sizes of the chunks do not add up to the size of the file", item.path.text)
    }
}

/// The chunks that were read last.
private struct RecentChunks {
    private let most: Int
    private var chunks: [(number: Int, content: [UInt8])] = []

    init(most: Int) { self.most = most }

    subscript(_ number: Int) -> [UInt8]? { chunks.first { $0.number == number }?.content }

    /// Keeps one at least.
    mutating func add(_ number: Int, _ content: [UInt8]) {
        chunks.insert((number, content), at: 0)
        var total = 0
        chunks = Array(
            chunks.prefix { chunk in
                total += chunk.content.count
                return total <= most || chunk.number == number
            })
    }
}
