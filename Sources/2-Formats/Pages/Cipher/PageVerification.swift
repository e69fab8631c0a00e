import Synchronization
import ValiseConcurrency
import ValiseFiles

/// What the HMACs of all pages say of a file.
package struct PageVerification: Sendable, Equatable {
    /// How many whole pages the file has.
    package let pageCount: UInt32
    /// Pages whose HMAC does not hold, and pages of zeros that are not free.
    package let damaged: PageSet
    /// Free pages that were never written and lie in the file as zeros. No defect.
    package let blank: PageSet
    /// Bytes behind the last whole page.
    package let trailingBytes: Int

    /// Whether every page is what was written.
    package var isSound: Bool { damaged.isEmpty && trailingBytes == 0 }
}

extension EncryptedDatabaseFile {
    /// Checks the HMAC of every page, on all cores.
    ///
    /// - Parameters:
    ///   - engine: nil for the fastest.
    ///   - workers: how many threads share the work.
    ///   - progress: gets the number of bytes checked; throw to stop.
    /// - Throws: ``PageCipherError``; errors of the source; whatever `progress` throws.
    package func verify(
        engine: PageEngineKind? = nil, workers: Int = ParallelBatches.workers,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> PageVerification {
        let findings = PageFindings()
        let batches = batches
        try ParallelBatches.run(count: batches.count, workers: workers) {
            try PageWorker(self, engine: engine)
        } work: { worker, batch in
            let range = batches.pages(batch)
            try unsafe readPages(range, into: worker.memory)
            let memory = unsafe UnsafeMutableRawBufferPointer(
                rebasing: worker.memory[..<(range.count * settings.pageSize)])
            unsafe findings.note(
                try worker.codec.open(memory, first: range.lowerBound, decrypts: false),
                first: range.lowerBound)
        } report: {
            try progress(batches.pages(in: $0) * Int64(settings.pageSize))
        }
        return try findings.verification(of: self)
    }
}

/// Collects from all workers what is not as it should be.
final class PageFindings: Sendable {
    private struct Pages {
        var damaged: [UInt32] = []
        var blank: [UInt32] = []
    }

    private let pages = Mutex(Pages())

    func note(_ statuses: [PageStatus], first: UInt32) {
        guard statuses.contains(where: { $0 == .damaged || $0 == .blank }) else { return }
        pages.withLock { pages in
            for (index, status) in statuses.enumerated() {
                if status == .damaged { pages.damaged.append(first + UInt32(index)) }
                if status == .blank { pages.blank.append(first + UInt32(index)) }
            }
        }
    }

    var hasDamage: Bool { pages.withLock { !$0.damaged.isEmpty } }

    /// A page of zeros is sound where SQLite has it in its list of free pages.
    func verification(of file: EncryptedDatabaseFile) throws -> PageVerification {
        let found = pages.withLock { $0 }
        let blank = PageSet(found.blank)
        let free = blank.isEmpty ? [] : try FreeList(file, among: blank).leaves
        return PageVerification(
            pageCount: file.pageCount,
            damaged: PageSet(found.damaged + found.blank.filter { !free.contains($0) }),
            blank: PageSet(free), trailingBytes: file.trailingBytes)
    }
}
