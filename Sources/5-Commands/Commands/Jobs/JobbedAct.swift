import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseJobQueue

/// A long act of a command that outlives its process: what it needs is written down before it begins, as a job, and a
/// later run goes on with it.
///
/// The value itself is the job's payload: its fields are choices, and paths as ``JobPath`` or ``JobAccount``, which are
/// absolute once they are written. Never a passphrase: a ``JobPassphrase`` says where it comes from.
///
/// Each type is listed in ``JobKinds``. Its contract: performed again after a kill at any moment, it comes to the same
/// end; and where it had come to its end, that is noticed and nothing is done twice.
protocol JobbedAct: Codable, Sendable {
    /// Such as `archive.export`. Never changed: jobs of older programs have it.
    static var kind: String { get }
    /// Acts of different queues run side by side.
    static var queue: JobQueueName { get }
    /// Of the fields. One that is greater was written by a newer program, and its job is left alone.
    static var version: Int { get }

    /// What it is, for lists and messages: a noun, such as `export of /home/a/laptop`.
    var title: String { get }
    /// Two acts of a kind with the same identity are one job: the paths that it is about.
    var identity: [String] { get }
    /// What stays behind when its job is cancelled, and how to remove that; nil for nothing.
    var remains: String? { get }

    /// What becomes of its job when it failed in the foreground.
    func fate(after error: any Error) -> ActFate

    /// Does it to its end in a run of its own, `valise jobs run` or `resume`: begins, or goes on where it was.
    ///
    /// - Throws: ``PersonNeeded`` where it cannot go on by itself; a failure whose code tells whether to try again.
    func resume(_ context: ActContext) async throws -> ActResult
}

extension JobbedAct {
    static var version: Int { 1 }
    var remains: String? { nil }

    func fate(after error: any Error) -> ActFate { ActFate(error) }
}

/// What ``JobbedAct/resume(_:)`` is given.
struct ActContext: Sendable {
    /// Whom to ask; nil where nobody is there.
    let person: JobPerson?
    /// What an earlier run had told ``JobSession/remember(_:)``.
    let memory: [UInt8]?
    /// Shows how far it is. Throws where it is to stop.
    let progress: @Sendable (OperationProgress) throws -> Void
    /// A line for the user.
    let note: @Sendable (String) -> Void
    /// Keeps bytes for a later run, durable when it returns.
    let remember: @Sendable ([UInt8]) throws -> Void
}

/// The person before whom `valise jobs resume` goes on with a job.
struct JobPerson: Sendable {
    let passphrase: PassphraseOptions
    /// Whether relays may be used without asking.
    let approvesRelays: Bool
    /// Asks at the terminal; nil where that is not possible.
    let confirm: (@Sendable (String) async throws -> Bool)?
}

/// What a job has to say when it is done; kept with it.
struct ActResult: Sendable, Codable {
    /// The JSON document that the command prints with `--json`.
    let json: String
    /// What the command prints for a person.
    let text: String
    /// Whether single entries failed, as of exit status 3.
    var hasEntryErrors = false
    /// How a change ended that was looked after instead of done; nil for what was done.
    var ending: JobEnding?
}

extension ActResult {
    /// Of an act that had come to its end when its job was gone on with: more is not known any longer.
    ///
    /// - Parameter type: of the JSON document that its command prints.
    static func wasDone(_ type: String, _ text: String) throws -> ActResult {
        ActResult(json: try JSONText.encode(WasDone(type: type)), text: text)
    }

    private struct WasDone: Encodable {
        let type: String
        let wasDone = true
    }
}
