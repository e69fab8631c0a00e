import ValiseConcurrency
import ValiseFiles

/// What is lent of the pages of an encrypted database by a pass over all of them.
package enum LentPages: Sendable {
    /// As SQLite would have them without encryption: the bytes that SQLCipher reserves at the end of a page are zeros, the first
    /// page begins with SQLite's own header, and its byte 20 still says how much is reserved. So the same content has the same
    /// bytes, under whatever key it was. It is a database that SQLite opens.
    case decrypted
    /// As they lie in the file.
    case encrypted
}

extension EncryptedDatabaseFile {
    /// Goes through all pages on all cores, a batch at a time, and checks the HMAC of each.
    ///
    /// Once a damaged page was found nothing more is lent; the rest is only verified, so that the result names all that are
    /// damaged. Pages of zeros are lent before it is known whether they are free: what was made of the pages counts only where the
    /// result is sound.
    ///
    /// - Parameters:
    ///   - lent: what `body` gets.
    ///   - engine: nil for the fastest.
    ///   - workers: how many threads share the work.
    ///   - makeWorker: makes what one thread needs of its own.
    ///   - body: gets that, the number of the first page, and the pages, which are wiped or used again afterwards. Batches begin
    ///     at multiples of ``pagesInBatch`` behind the first page.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Throws: ``PageCipherError``; errors of the source; whatever a closure throws.
    package func forEachBatch<Worker>(
        _ lent: LentPages, engine: PageEngineKind? = nil, workers: Int = ParallelBatches.waitingWorkers,
        makeWorker: @Sendable () throws -> Worker,
        _ body: @Sendable (Worker, UInt32, UnsafeRawBufferPointer) throws -> Void,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> PageVerification {
        let findings = PageFindings()
        let batches = batches
        try ParallelBatches.run(count: batches.count, workers: workers) {
            (pages: try PageWorker(self, engine: engine), own: try makeWorker())
        } work: { worker, batch in
            let range = batches.pages(batch)
            try unsafe readPages(range, into: worker.pages.memory)
            let memory = unsafe UnsafeMutableRawBufferPointer(
                rebasing: worker.pages.memory[..<(range.count * settings.pageSize)])
            // Before they are opened, which leaves the HMACs undefined.
            if lent == .encrypted, !findings.hasDamage {
                try unsafe body(worker.own, range.lowerBound, UnsafeRawBufferPointer(memory))
            }
            unsafe findings.note(
                try worker.pages.codec.open(
                    memory, first: range.lowerBound, decrypts: lent == .decrypted),
                first: range.lowerBound)
            guard lent == .decrypted, !findings.hasDamage else { return }
            unsafe clearReserve(memory, first: range.lowerBound)
            try unsafe body(worker.own, range.lowerBound, UnsafeRawBufferPointer(memory))
        } report: {
            try progress(batches.pages(in: $0) * Int64(settings.pageSize))
        }
        return try findings.verification(of: self)
    }

    /// How many pages a batch of ``forEachBatch(_:engine:workers:makeWorker:_:progress:)`` has: a power of two.
    package var pagesInBatch: Int { Int(batches.pagesInBatch) }

    /// What SQLCipher reserves, and the lock page, have nothing that counts.
    private func clearReserve(_ memory: UnsafeMutableRawBufferPointer, first: UInt32) {
        let (pageSize, reserve) = (settings.pageSize, settings.reserve)
        for index in 0..<memory.count / pageSize {
            let isLock = first + UInt32(index) == settings.lockPage
            let start = index * pageSize + (isLock ? 0 : pageSize - reserve)
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<(index + 1) * pageSize])
            unsafe rest.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
