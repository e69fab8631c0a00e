import Synchronization
import ValiseConcurrency
package import ValiseStorage

/// Reads many blobs: those that lie beside each other in a pack come with one request.
package struct BlobReader: Sendable {
    private let repository: Repository

    /// Small requests cost more than some bytes that nobody wants.
    private static let largestGap: Int64 = 64 << 10
    private static let largestRun: Int64 = 4 << 20

    package init(_ repository: Repository) { self.repository = repository }

    /// One request.
    private struct Run: Sendable {
        let pack: ContentID
        var range: Range<Int64>
        /// Their numbers among the wanted ones.
        var blobs: [(blob: PackedBlob, numbers: [Int])]
    }

    /// Reads blobs, in any order, on all cores.
    ///
    /// - Parameters:
    ///   - ids: the blobs; one may be there several times.
    ///   - body: gets the number of a blob in the list, and its content; called on several threads.
    ///   - progress: bytes of packs that were read, of how many; throw to stop.
    /// - Throws: ``RepositoryError``: `missing`, `damaged`; `StorageError`; whatever a closure throws.
    package func read(
        _ ids: [ContentID], _ kind: BlobKind, progress: (Int64, Int64) throws -> Void = { _, _ in },
        _ body: @Sendable (Int, [UInt8]) throws -> Void
    ) throws {
        try read(ids, kind, progress: progress) {
        } body: { _, number, content in
            try body(number, content)
        }
    }

    /// The same for who collects something from several blobs.
    ///
    /// - Parameters:
    ///   - makeWorker: makes what one thread needs of its own.
    ///   - body: gets that, the number of a blob in the list, and its content.
    ///   - finish: is called after some blobs each time: nothing may stay unfinished behind it.
    package func read<Worker>(
        _ ids: [ContentID], _ kind: BlobKind, progress: (Int64, Int64) throws -> Void = { _, _ in },
        makeWorker: @Sendable () throws -> Worker, body: @Sendable (Worker, Int, [UInt8]) throws -> Void,
        finish: @Sendable (Worker) throws -> Void = { _ in }
    ) throws {
        let runs = try runs(ids, kind)
        let total = runs.reduce(0) { $0 + Int64($1.range.count) }
        let done = Atomic<Int64>(0)
        try ParallelBatches.run(
            count: runs.count, workers: ParallelBatches.waitingWorkers, makeWorker: makeWorker
        ) { worker, number in
            let run = runs[number]
            let bytes = try bytes(of: run)
            for (blob, numbers) in run.blobs {
                // Not the bytes that are at hand, where these are damaged: another pack may have the blob, too.
                let content = try decoded(blob, run, bytes) ?? repository.blob(blob.id, kind)
                for number in numbers { try body(worker, number, content) }
            }
            try finish(worker)
            done.add(Int64(run.range.count), ordering: .relaxed)
        } report: { _ in
            try progress(done.load(ordering: .relaxed), total)
        }
    }

    /// Nil where the pack is gone or shorter; each blob is asked for on its own then.
    private func bytes(of run: Run) throws -> [UInt8]? {
        do {
            let bytes = try repository.store.get(.file(.data, run.pack), run.range)
            return bytes.count == run.range.count ? bytes : nil
        } catch  where Repository.isOfFile(error) {
            return nil
        }
    }

    private func decoded(_ blob: PackedBlob, _ run: Run, _ bytes: [UInt8]?) throws -> [UInt8]? {
        guard let bytes else { return nil }
        let start = Int(blob.offset - run.range.lowerBound)
        do {
            return try repository.codecs.use { codec in
                try unsafe bytes.withUnsafeBytes { memory in
                    try unsafe blob.decode(
                        UnsafeRawBufferPointer(rebasing: memory[start..<start + blob.sealedLength]),
                        in: run.pack, &codec)
                }
            }
        } catch  where Repository.isOfFile(error) {
            return nil
        }
    }

    private func runs(_ ids: [ContentID], _ kind: BlobKind) throws -> [Run] {
        var numbers: [ContentID: [Int]] = [:]
        for (number, id) in ids.enumerated() { numbers[id, default: []].append(number) }
        let places = try numbers.map { id, numbers in
            let (pack, blob) = try repository.place(of: id, kind)
            guard blob.fitsMemory else {
                throw RepositoryError(.unsupported, "blob \(id) is too large", .file(.data, pack))
            }
            return (pack: pack, blob: blob, numbers: numbers)
        }
        var runs: [Run] = []
        for place in places.sorted(by: { ($0.pack, $0.blob.offset) < ($1.pack, $1.blob.offset) }) {
            let range = place.blob.range
            if let last = runs.last, last.pack == place.pack,
                range.lowerBound >= last.range.upperBound,
                range.lowerBound - last.range.upperBound <= Self.largestGap,
                range.upperBound - last.range.lowerBound <= Self.largestRun
            {
                runs[runs.count - 1].range = last.range.lowerBound..<range.upperBound
                runs[runs.count - 1].blobs.append((place.blob, place.numbers))
            } else {
                runs.append(Run(pack: place.pack, range: range, blobs: [(place.blob, place.numbers)]))
            }
        }
        return runs
    }
}
