import ValiseFailures
package import ValiseFiles

/// The way back from ``LentPages/decrypted``: encrypts plain pages and writes them to their places in a file, in whatever order they
/// come. For one thread; several may write one file.
///
/// Pages are collected, because the cipher is fast for many at once. The memory is wiped when it goes.
package final class PageSealer {
    private let worker: PageWorker
    private let target: ParallelWriter
    private let pageSize: Int
    private let capacity: Int
    /// Of the pages in memory.
    private var numbers: [UInt32] = []

    /// - Parameters:
    ///   - settings: those of the database that the pages are of: its pages reserve that much.
    ///   - key: the new or the old one, derived with these settings.
    ///   - target: where the pages go. It is not flushed.
    ///   - engine: nil for the fastest.
    /// - Throws: ``PageCipherError`` when this machine has no such engine.
    package init(
        _ settings: CipherSettings, _ key: CipherKey, to target: ParallelWriter, engine: PageEngineKind? = nil
    ) throws {
        worker = try PageWorker(settings, key, engine: engine)
        pageSize = settings.pageSize
        capacity = PageBatches.batchSize / settings.pageSize
        self.target = target
        numbers.reserveCapacity(capacity)
    }

    /// Takes pages on.
    ///
    /// - Parameters:
    ///   - pages: whole ones.
    ///   - first: the number of the first of them, from 1.
    /// - Throws: ``PageCipherError``, `invalid` for a part of a page; `FileError`.
    package func add(_ pages: UnsafeRawBufferPointer, first: UInt32) throws {
        guard pages.count % pageSize == 0, first >= 1,
            UInt64(first) + UInt64(pages.count / pageSize) <= UInt64(UInt32.max)
        else { throw PageCipherError(.invalid, "no whole pages of a database") }
        for index in 0..<pages.count / pageSize {
            if numbers.count == capacity { try flush() }
            let page = unsafe UnsafeRawBufferPointer(
                rebasing: pages[index * pageSize..<(index + 1) * pageSize])
            unsafe UnsafeMutableRawBufferPointer(rebasing: worker.memory[(numbers.count * pageSize)...])
                .copyMemory(from: page)
            numbers.append(first + UInt32(index))
        }
    }

    /// Writes what was taken on.
    /// - Throws: as ``add(_:first:)``.
    package func flush() throws {
        guard !numbers.isEmpty else { return }
        let memory = unsafe UnsafeMutableRawBufferPointer(
            rebasing: worker.memory[..<(numbers.count * pageSize)])
        try unsafe worker.codec.seal(memory, numbers: numbers)
        // Those that follow each other go out with one call.
        var start = 0
        while start < numbers.count {
            var end = start + 1
            while end < numbers.count, numbers[end] == numbers[end - 1] + 1 { end += 1 }
            try unsafe target.write(
                UnsafeRawBufferPointer(rebasing: memory[start * pageSize..<end * pageSize]),
                at: Int64(numbers[start] - 1) * Int64(pageSize))
            start = end
        }
        numbers.removeAll(keepingCapacity: true)
    }
}
