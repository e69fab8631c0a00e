public import Files
import Synchronization

/// What ``PageReencryption`` wrote, so that it can be compared with what lies on the medium.
public final class WrittenPages: Sendable {
    private let settings: CipherSettings
    private let key: CipherKey
    private let batches: PageBatches
    private let fingerprint: Fingerprint
    private let sums: Mutex<[Fingerprint.Sum]>

    init(
        _ source: EncryptedDatabaseFile, under key: CipherKey, engine: PageEngineKind?
    ) throws {
        settings = source.settings
        self.key = key
        batches = source.batches
        fingerprint = try Fingerprint(engine: engine)
        sums = Mutex([Fingerprint.Sum](repeating: Fingerprint.Sum(), count: source.batches.count))
    }

    /// Notes a batch before it goes to the file.
    func note(_ batch: Int, _ bytes: UnsafeRawBufferPointer) throws(PageCipherError) {
        let sum = try fingerprint.sum(bytes)
        sums.withLock { $0[batch] = sum }
    }

    /// Reads all of the file once more, from the medium where the file system has one, and tells whether it is what was
    /// written. Of each batch one page, picked at random, is proved with its HMAC too, by libcrypto whatever engine
    /// wrote it.
    ///
    /// - Parameters:
    ///   - file: as it was written; flushed.
    ///   - progress: gets the number of bytes read; throw to stop.
    /// - Throws: ``PageCipherError`` when the library fails; ``FileError``; whatever `progress` throws.
    public func matches(
        _ file: ParallelWriter, workers: Int = ParallelBatches.waitingWorkers,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> Bool {
        let differs = Mutex(false)
        file.dropCache()
        try ParallelBatches.run(count: batches.count, workers: workers) {
            try PageWorker(settings, key, engine: .libcrypto)
        } work: { worker, batch in
            guard !differs.withLock({ $0 }) else { return }
            if try !isAsWritten(batch, file, worker) { differs.withLock { $0 = true } }
        } report: {
            try progress(batches.pages(in: $0) * Int64(settings.pageSize))
        }
        return !differs.withLock { $0 }
    }

    private func isAsWritten(_ batch: Int, _ file: ParallelWriter, _ worker: PageWorker) throws -> Bool {
        let pages = batches.pages(batch)
        let bytes = UnsafeMutableRawBufferPointer(
            rebasing: worker.memory[..<(pages.count * settings.pageSize)])
        try file.readBack(into: bytes, at: Int64(pages.lowerBound - 1) * Int64(settings.pageSize))
        let sum = try fingerprint.sum(UnsafeRawBufferPointer(bytes))
        guard sum == sums.withLock({ $0[batch] }) else { return false }
        let sample = Int.random(in: 0..<pages.count)
        let page = UnsafeMutableRawBufferPointer(
            rebasing: bytes[sample * settings.pageSize..<(sample + 1) * settings.pageSize])
        let status = try worker.codec.open(page, first: pages.lowerBound + UInt32(sample), decrypts: false)
        return status[0] == .intact || status[0] == .lock
    }
}
