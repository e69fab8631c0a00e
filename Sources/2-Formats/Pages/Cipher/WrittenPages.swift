import Synchronization
import ValiseConcurrency
package import ValiseFiles

/// What ``PageReencryption`` wrote, so that it can be compared with what lies on the medium.
package final class WrittenPages: Sendable {
    /// Of a run of pages.
    private struct Batch {
        /// As it was written.
        var sum = Fingerprint.Sum()
        /// A page picked at random, and what it held before it was encrypted.
        var sample = 0
        var content = Fingerprint.Sum()
    }

    private let settings: CipherSettings
    private let key: CipherKey
    private let runs: PageBatches
    private let fingerprint: Fingerprint
    private let batches: Mutex<[Batch]>

    init(
        _ source: EncryptedDatabaseFile, under key: CipherKey, engine: PageEngineKind?
    ) throws {
        settings = source.settings
        self.key = key
        runs = source.batches
        fingerprint = try Fingerprint(engine: engine)
        batches = Mutex([Batch](repeating: Batch(), count: source.batches.count))
    }

    /// Notes what a batch holds, before it is encrypted.
    func noteContent(_ batch: Int, _ pages: UnsafeRawBufferPointer) throws(PageCipherError) {
        let sample = Int.random(in: 0..<pages.count / settings.pageSize)
        let sum = try unsafe fingerprint.sum(content(of: sample, pages))
        batches.withLock {
            $0[batch].sample = sample
            $0[batch].content = sum
        }
    }

    /// Notes a batch as it goes to the file.
    func note(_ batch: Int, _ pages: UnsafeRawBufferPointer) throws(PageCipherError) {
        let sum = try unsafe fingerprint.sum(pages)
        batches.withLock { $0[batch].sum = sum }
    }

    /// Reads all of the file once more, from the medium where the file system has one, and tells whether it is what was
    /// written.
    ///
    /// Of each batch one page is opened too, by libcrypto whatever engine sealed it: its HMAC has to hold, and its content
    /// to be what it was in the previous file.
    ///
    /// - Parameters:
    ///   - file: as it was written; flushed.
    ///   - workers: how many threads share the work.
    ///   - progress: gets the number of bytes read; throw to stop.
    /// - Throws: ``PageCipherError`` when the library fails; `FileError`; whatever `progress` throws.
    package func matches(
        _ file: ParallelWriter, workers: Int = ParallelBatches.waitingWorkers,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> Bool {
        let differs = Mutex(false)
        file.dropCache()
        try ParallelBatches.run(count: runs.count, workers: workers) {
            try PageWorker(settings, key, engine: .libcrypto)
        } work: { worker, batch in
            guard !differs.withLock({ $0 }) else { return }
            if try !isAsWritten(batch, file, worker) { differs.withLock { $0 = true } }
        } report: {
            try progress(runs.pages(in: $0) * Int64(settings.pageSize))
        }
        return !differs.withLock { $0 }
    }

    private func isAsWritten(_ number: Int, _ file: ParallelWriter, _ worker: PageWorker) throws -> Bool {
        let batch = batches.withLock { $0[number] }
        let pages = runs.pages(number)
        let bytes = unsafe UnsafeMutableRawBufferPointer(
            rebasing: worker.memory[..<(pages.count * settings.pageSize)])
        try unsafe file.readBack(into: bytes, at: Int64(pages.lowerBound - 1) * Int64(settings.pageSize))
        guard try unsafe fingerprint.sum(UnsafeRawBufferPointer(bytes)) == batch.sum else { return false }
        let start = batch.sample * settings.pageSize
        let page = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + settings.pageSize])
        let status = try unsafe worker.codec.open(page, first: pages.lowerBound + UInt32(batch.sample))[0]
        if status == .lock { return true }
        let content = try unsafe fingerprint.sum(content(of: batch.sample, UnsafeRawBufferPointer(bytes)))
        return status == .intact && content == batch.content
    }

    /// A page without what SQLCipher adds.
    private func content(of page: Int, _ pages: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = page * settings.pageSize
        return unsafe UnsafeRawBufferPointer(
            rebasing: pages[start..<start + settings.pageSize - settings.reserve])
    }
}
