package import SystemPackage
package import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseJobQueue

/// An operation that outlives its process: what it needs is written down before it begins, as a job, and a later run resumes
/// it.
///
/// The value itself is the job's payload: its fields are choices, and paths as ``JobPath`` or ``JobAccount``, which are
/// absolute once they are written. Never a passphrase: a ``JobPassphrase`` says where it comes from.
///
/// Each type is listed in ``JobKinds``. Its contract: performed again after a kill at any moment, it comes to the same
/// end; and where it had come to its end, that is noticed and nothing is done twice.
protocol DurableOperation: Codable, Sendable {
    /// Such as `archive.export`. Never changed: jobs of older programs have it.
    static var kind: String { get }
    /// Operations of different queues run side by side.
    static var queue: JobQueueName { get }
    /// Of the fields. One that is greater was written by a newer program, and its job is left alone.
    static var version: Int { get }

    /// What it is, for lists and messages: a noun, such as `export of /home/a/laptop`.
    var title: String { get }
    /// Two operations of a kind with the same identity are one job: the paths that it is about.
    var identity: [String] { get }
    /// What it works on.
    var paths: [FilePath] { get }
    /// What of that has to be the same still when it is resumed: ``ResumptionContext/requireSameSources()``. Their marks are kept
    /// with the job.
    var sources: [JobSource] { get }
    /// What was where it writes to, as far as it keeps that.
    var targets: [MarkedFile] { get }
    /// What stays behind when its job is cancelled; nil for nothing.
    var leftovers: JobLeftovers? { get }
    /// Whether a run without its user may come to a question that nobody answers then.
    var mayAsk: Bool { get }

    /// What becomes of its job when it failed in the foreground.
    func disposition(after error: any Error, remedies: RemedyWords) -> JobDisposition

    /// Does it to its end in a run of its own: begins, or resumes what an earlier run had begun.
    ///
    /// - Throws: `UserNeeded` where it cannot go on by itself; a failure whose code tells whether to try again.
    func resume(_ context: ResumptionContext) async throws -> JobResult
}

extension DurableOperation {
    static var version: Int { 1 }
    var sources: [JobSource] { [] }
    var targets: [MarkedFile] { [] }
    var leftovers: JobLeftovers? { nil }
    var mayAsk: Bool { false }

    func disposition(after error: any Error, remedies: RemedyWords) -> JobDisposition {
        JobDisposition(error, remedies: remedies)
    }
}

/// What is left behind by a job that is cancelled.
package enum JobLeftovers: Sendable, Equatable {
    /// What was written so far, at this path, if it is there.
    case partialArchive(FilePath)
    /// What was unpacked beside the account.
    case unpackedArchive
    /// A change of an account that the next operation on it completes or cleans up.
    case pendingChange
    /// Files that were converted already stay so.
    case convertedMedia
    /// Relays may hold parts of the file.
    case uploadedChunks
    /// What was received is in a hidden folder beside the file.
    case receivedChunks
    /// The chunks of a relay that nobody can start again are in this folder.
    case servedChunks(FilePath)
    /// A move of this account that was begun here.
    case sentAccount(AccountLocation), receivedAccount(AccountLocation)
}

/// What ``DurableOperation/resume(_:)`` is given.
struct ResumptionContext: Sendable {
    let operation: OperationContext
    /// What the user said when the job was resumed; nil where nobody is there.
    let user: ResumingUser?
    /// What an earlier run had told ``JobSession/remember(_:)``.
    let memory: [UInt8]?
    /// Keeps bytes for a later run, durable when it returns.
    let remember: @Sendable ([UInt8]) throws -> Void
    /// What was where the sources of the operation are, when it was asked for.
    let sources: [MarkedFile]
    /// Whether somebody cancelled the job.
    let isCancelled: @Sendable () -> Bool

    /// Before anything is done: an operation was asked for on an account or a file, not on whatever is in its place later.
    ///
    /// - Throws: ``UserNeeded``.
    func requireSameSources() async throws {
        let replaced = try await operation.blocking { _ in sources.first { $0.isReplaced } }
        if let replaced { throw UserNeeded(.replacedSource(replaced.path.absolute)) }
    }

    /// What is kept with the job that is done. Entries that failed are told, as by the operation itself.
    func result(_ report: some OperationReport, ending: JobEnding? = nil) throws -> JobResult {
        operation.tell(report.entryFailures)
        return try JobResult(report, operation.wording, ending: ending)
    }
}

/// The user who resumes a job.
public struct ResumingUser: Sendable {
    /// The passphrase that was given now, before that which the job knows.
    package var passphrase: PassphraseSource
    /// Whether relays may be used without asking.
    package var approvesRelays: Bool

    /// - Parameters:
    ///   - passphrase: for jobs that require one.
    ///   - approvesRelays: whether relays outside the user's list may be used.
    public init(passphrase: PassphraseSource = PassphraseSource(), approvesRelays: Bool = false) {
        self.passphrase = passphrase
        self.approvesRelays = approvesRelays
    }
}
