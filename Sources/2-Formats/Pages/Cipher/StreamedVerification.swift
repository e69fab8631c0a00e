import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Checks the HMACs of a database's pages while its bytes come by in order, on all cores: whoever writes a file knows at
/// its end what ``EncryptedDatabaseFile/verify(engine:workers:progress:)`` would say of it, without reading it again.
///
/// The bytes come from one thread.
package final class StreamedVerification {
    private let settings: CipherSettings
    private let findings = PageFindings()
    /// A batch of pages each, on its way through one core.
    private let slots: [WorkerSlot<PageWorker>]
    private let slotSize: Int
    /// The slot that is being filled.
    private var current = 0
    private var filled = 0
    private var count: Int64 = 0

    /// - Parameters:
    ///   - file: tells settings and keys; its bytes are not looked at.
    ///   - engine: nil for the fastest.
    ///   - workers: how many threads share the work.
    /// - Throws: ``PageCipherError`` when this machine has no such engine.
    package init(
        _ file: EncryptedDatabaseFile, engine: PageEngineKind? = nil, workers: Int = ParallelBatches.workers
    ) throws {
        settings = file.settings
        let pages = Int(PageBatches(pageCount: 0, pageSize: file.settings.pageSize).pagesInBatch)
        slotSize = pages * file.settings.pageSize
        // One is filled while the others are checked.
        slots = try (0..<workers + 1).map { _ in WorkerSlot(try PageWorker(file, engine: engine)) }
    }

    deinit {
        for slot in slots { try? slot.wait() }
    }

    /// Takes the bytes that follow those before.
    /// - Throws: ``PageCipherError``.
    package func add(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let slot = slots[current]
            if filled == 0 { try slot.wait() }
            let part = min(rest.count, slotSize - filled)
            unsafe slot.work.memory.baseAddress?.advanced(by: filled).copyMemory(
                from: rest.baseAddress!, byteCount: part)
            filled += part
            count += Int64(part)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[part...])
            if filled == slotSize { start() }
        }
    }

    private func start() {
        let pages = filled / settings.pageSize
        let first = UInt32(truncatingIfNeeded: (count - Int64(filled)) / Int64(settings.pageSize)) &+ 1
        if pages > 0 { check(pages * settings.pageSize, first: first) }
        current = (current + 1) % slots.count
        filled = 0
    }

    private func check(_ count: Int, first: UInt32) {
        slots[current].start { [findings] worker in
            let pages = unsafe UnsafeMutableRawBufferPointer(rebasing: worker.memory[..<count])
            unsafe findings.note(try worker.codec.open(pages, first: first, decrypts: false), first: first)
        }
    }

    /// Waits for all pages.
    ///
    /// - Parameter file: of the bytes that came; looked into only where pages of zeros were among them.
    /// - Throws: ``PageCipherError``, `damaged` where the file has another size; errors of its source.
    package func finish(_ file: EncryptedDatabaseFile) throws -> PageVerification {
        if filled > 0 { start() }
        for slot in slots { try slot.wait() }
        let size = Int64(file.pageCount) * Int64(settings.pageSize) + Int64(file.trailingBytes)
        guard size == count, file.settings == settings else {
            throw PageCipherError(
                .damaged, "the file differs from what was written to it", file: file.path.string)
        }
        return try findings.verification(of: file)
    }
}
