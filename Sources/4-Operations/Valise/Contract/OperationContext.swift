public import ValiseConcurrency
import ValiseFailures
import ValiseSecrets

/// The context of an operation: the folders it uses, who answers its questions, and who receives its events.
///
/// Libraries neither read the environment nor prompt: the program provides the user's folders and answers questions.
public struct OperationContext: Sendable {
    /// Where the user's own things are: keys, jobs, journals, relays.
    package var folders: ValiseFolders
    /// Who answers questions.
    package var questions: any Questions
    /// Whether long operations are recorded as jobs of the user, so that a later run can resume them.
    public var keepsJobs: Bool
    /// How results and failures read in the list of jobs.
    package var wording: any JobWording = DefaultJobWording()
    /// Receives the events of the operation. Called from any thread, also concurrently.
    public var events: EventHandler
    /// What opens a repository that is named in the place of an account, as `REPO::SNAPSHOT`.
    package var repositories: @Sendable () throws -> RepositoryAccess = { RepositoryAccess() }
    /// What opens a store that is named in the place of an account, as `store://STORE::PATH`.
    package var stores: @Sendable () throws -> StoreAccess = { StoreAccess() }
    /// Called where the operation may stop; throws to stop it. Heard at once, where the end of a task takes a moment.
    package var checkpoint: @Sendable () throws -> Void = {}

    /// - Parameters:
    ///   - folders: the user's folders.
    ///   - questions: who answers questions; nil for nobody.
    ///   - keepsJobs: whether long operations are kept as jobs.
    ///   - events: receives the events.
    public init(
        folders: ValiseFolders = ValiseFolders(), questions: (any Questions)? = nil,
        keepsJobs: Bool = false, events: @escaping EventHandler = { _ in }
    ) {
        self.folders = folders
        self.questions = questions ?? NoAnswers()
        self.keepsJobs = keepsJobs
        self.events = events
    }

    /// Tells something beside the progress.
    func note(_ note: any OperationNote) { events(.note(note)) }

    /// Tells which entries failed.
    func tell(_ failures: [EntryFailure]) {
        for failure in failures { events(.entryFailed(failure)) }
    }

    /// Tells that an entry failed, as soon as it did.
    func tell(_ failure: any Failure, of entry: String) {
        events(.entryFailed(EntryFailure(entry, Remark(failure.message, remedy: failure.remedy))))
    }

    /// Whether the task was cancelled, or is about to be.
    var isStopped: Bool { Task.isCancelled || (try? checkpoint()) == nil }

    /// Runs something that blocks, away from the threads of tasks. It stops where its handler of progress is called after the
    /// task was cancelled.
    func blocking<Value: Sendable>(
        _ body: @Sendable (_ progress: ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await BlockingExecutor.shared.run {
            try body { try told($0) }
        }
    }

    /// What `blocking(_:)` does with progress, for what needs to call it from elsewhere in the same task.
    @Sendable func told(_ progress: OperationProgress) throws {
        if Task.isCancelled { throw Interruption() }
        try checkpoint()
        events(.progress(progress))
    }
}

extension OperationContext {
    /// Asks from inside of `blocking(_:)`, whose thread waits for the answer, or until the task is cancelled.
    func answer(whileBlocking question: Question) throws -> Bool? {
        try AwaitedTask { try await questions.answer(question) }.value()
    }

    /// Asks for consent, likewise.
    /// - Parameter unasked: what is thrown where nobody can be asked.
    /// - Throws: ``OperationError``: for no, that of every declined question; `unasked`.
    func require(whileBlocking question: Question, unasked: OperationError) throws {
        guard let answer = try answer(whileBlocking: question) else { throw unasked }
        guard answer else { throw OperationError.declined }
    }

    /// The same for a secret.
    func answer(whileBlocking request: PassphraseRequest) throws -> SharedSecret? {
        try AwaitedTask { try await questions.passphrase(request)?.rememberingKeys() }.value()
    }
}
