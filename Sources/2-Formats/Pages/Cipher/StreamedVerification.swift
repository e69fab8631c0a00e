import Dispatch
import SystemPackage
public import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Checks the HMACs of a database's pages while its bytes come by in order, on all cores: whoever writes a file knows at
/// its end what ``EncryptedDatabaseFile/verify(engine:workers:progress:)`` would say of it, without reading it again.
///
/// The bytes come from one thread.
public final class StreamedVerification {
    private let settings: CipherSettings
    private let findings = PageFindings()
    private let slots: [Slot]
    private let slotSize: Int
    /// The slot that is being filled.
    private var current = 0
    private var filled = 0
    private var count: Int64 = 0

    /// - Parameters:
    ///   - file: tells settings and keys; its bytes are not looked at.
    ///   - engine: nil for the fastest.
    /// - Throws: ``PageCipherError`` when this machine has no such engine.
    public init(
        _ file: EncryptedDatabaseFile, engine: PageEngineKind? = nil, workers: Int = ParallelBatches.workers
    ) throws {
        settings = file.settings
        let pages = Int(PageBatches(pageCount: 0, pageSize: file.settings.pageSize).pagesInBatch)
        slotSize = pages * file.settings.pageSize
        // One is filled while the others are checked.
        let findings = findings
        slots = try (0..<workers + 1).map { _ in Slot(try PageWorker(file, engine: engine), findings) }
    }

    deinit {
        for slot in slots { try? slot.wait() }
    }

    /// Takes the bytes that follow those before.
    /// - Throws: ``PageCipherError``.
    public func add(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let slot = slots[current]
            if filled == 0 { try slot.wait() }
            let part = min(rest.count, slotSize - filled)
            slot.memory.baseAddress?.advanced(by: filled).copyMemory(
                from: rest.baseAddress!, byteCount: part)
            filled += part
            count += Int64(part)
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
            if filled == slotSize { start() }
        }
    }

    private func start() {
        let pages = filled / settings.pageSize
        let first = UInt32(truncatingIfNeeded: (count - Int64(filled)) / Int64(settings.pageSize)) &+ 1
        if pages > 0 { slots[current].start(pages * settings.pageSize, first: first) }
        current = (current + 1) % slots.count
        filled = 0
    }

    /// Waits for all pages.
    ///
    /// - Parameter file: of the bytes that came; looked into only where pages of zeros were among them.
    /// - Throws: ``PageCipherError``, `damaged` where the file has another size; errors of its source.
    public func finish(_ file: EncryptedDatabaseFile) throws -> PageVerification {
        if filled > 0 { start() }
        for slot in slots { try slot.wait() }
        let size = Int64(file.pageCount) * Int64(settings.pageSize) + Int64(file.trailingBytes)
        guard size == count, file.settings == settings else {
            throw PageCipherError(
                .damaged, "the file is not what was written to it", file: file.path.string)
        }
        return try findings.verification(of: file)
    }
}

/// A batch of pages on its way through one core.
///
/// Either the caller has it, or its own thread has, between `start` and `wait`.
private final class Slot: @unchecked Sendable {
    private let worker: PageWorker
    private let findings: PageFindings
    private let queue = DispatchQueue(label: "valise.pages")
    private let done = DispatchSemaphore(value: 0)
    private var isRunning = false
    private var failure: (any Error)?

    init(_ worker: PageWorker, _ findings: PageFindings) {
        self.worker = worker
        self.findings = findings
    }

    var memory: UnsafeMutableRawBufferPointer { worker.memory }

    func start(_ count: Int, first: UInt32) {
        isRunning = true
        queue.async { [self] in
            do {
                let pages = UnsafeMutableRawBufferPointer(rebasing: worker.memory[..<count])
                findings.note(try worker.codec.open(pages, first: first, decrypts: false), first: first)
            } catch {
                failure = error
            }
            done.signal()
        }
    }

    func wait() throws {
        guard isRunning else { return }
        isRunning = false
        done.wait()
        if let failure { throw failure }
    }
}
