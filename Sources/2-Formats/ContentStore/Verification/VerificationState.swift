import Synchronization
import ValiseFailures

/// What the threads of a verification found out so far.
final class VerificationState: Sendable {
    private struct State {
        var report = StoreVerificationReport()
        /// That a manifest has.
        var usedChunks: Set<ObjectName> = []
        var usedManifests: Set<ObjectName> = []
        /// Whose digest was right.
        var verifiedChunks: Set<ObjectName> = []
        /// Whose files were read.
        var verifiedManifests: Set<ObjectName> = []
        var storedChunks: Set<ObjectName> = []
    }

    let findings = StoreFindings()
    /// Of chunks that were read until now, also of those that are not complete; and whether no more are to be read.
    private let bytes = Atomic<Int64>(0)
    private let hasStopped = Atomic(false)
    /// Is held while a large file is read.
    let largeFile = Mutex(())
    private let layout: StoreLayout
    private let state = Mutex(State())

    init(_ layout: StoreLayout) { self.layout = layout }

    /// How many bytes of files and chunks were read.
    var readBytes: Int64 { bytes.load(ordering: .relaxed) }

    /// Adds to them.
    /// - Throws: `Interruption` where somebody has stopped the verification.
    func read(_ count: Int64) throws(Interruption) {
        bytes.add(count, ordering: .relaxed)
        if hasStopped.load(ordering: .relaxed) { throw Interruption() }
    }

    func stop() { hasStopped.store(true, ordering: .relaxed) }

    /// Changes the numbers of the report.
    func count(_ change: @Sendable (inout StoreVerificationReport) -> Void) {
        state.withLock { change(&$0.report) }
    }

    func use(_ manifest: ObjectName, _ chunks: [ObjectName]) {
        state.withLock { state in
            state.usedManifests.insert(manifest)
            state.usedChunks.formUnion(chunks)
        }
    }

    func isUsed(manifest: ObjectName) -> Bool { state.withLock { $0.usedManifests.contains(manifest) } }

    func isUsed(chunk: ObjectName) -> Bool { state.withLock { $0.usedChunks.contains(chunk) } }

    /// - Returns: whether it is the first time for the manifest: several paths may have it.
    func begin(_ manifest: ObjectName) -> Bool {
        state.withLock { $0.verifiedManifests.insert(manifest).inserted }
    }

    func verified(_ chunks: [ObjectName]) { state.withLock { $0.verifiedChunks.formUnion(chunks) } }

    func isVerified(_ chunk: ObjectName) -> Bool { state.withLock { $0.verifiedChunks.contains(chunk) } }

    func stored(_ chunk: ObjectName) { _ = state.withLock { $0.storedChunks.insert(chunk) } }

    /// Chunks that a manifest has and the store has not.
    var missing: Set<ObjectName> { state.withLock { $0.usedChunks.subtracting($0.storedChunks) } }

    func finish(_ report: inout StoreVerificationReport) {
        let (share, began) = (report.share, report.began)
        report = state.withLock { $0.report }
        (report.share, report.began) = (share, began)
        (report.findings, report.counts) = findings.all
    }
}
