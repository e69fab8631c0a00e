import CValisePlatform
import Valise
import ValiseTerminal

/// Runs operations of the library for commands: the one place where a command meets an operation.
extension OutputOptions {
    /// Runs an operation to its end, with a progress line, notes, and answers from the terminal.
    ///
    /// - Throws: the error of the operation; `Interruption` if the user stopped it.
    func run<Report>(_ operation: some Operation<some Any, Report>, _ answers: Answers = Answers()) throws
        -> Report
    {
        try perform(answers) { context, _ in try await operation.run(in: context) }
    }

    /// The plan of an operation.
    func plan<Plan>(_ operation: some Operation<Plan, some Any>, _ answers: Answers = Answers()) throws
        -> Plan
    {
        try perform(answers) { context, _ in try await operation.plan(in: context) }
    }

    /// The report of an operation whose plan is one too: what would be done, or what was.
    func run<Report>(
        _ operation: some Operation<Report, Report>, _ answers: Answers, _ dryRun: DryRunOption
    ) throws -> Report {
        try dryRun.isAsked ? plan(operation, answers) : run(operation, answers)
    }

    /// The same for work of more than one operation.
    func perform<Value: Sendable>(
        _ answers: Answers = Answers(),
        _ body: @escaping @Sendable (OperationContext, AsynchronousWork<Value>) async throws -> Value
    ) throws -> Value {
        try AsynchronousWork<Value>.run(display) { work in
            try await AccountWaiting.$current.withValue(WaitChoice.waiting(work.show)) {
                try await body(context(answers, work), work)
            }
        }
    }

    private func context<Value>(_ answers: Answers, _ work: AsynchronousWork<Value>) -> OperationContext {
        var context = OperationContext(
            folders: .ofUser, questions: TerminalQuestions(answers: answers, output: self, work: work),
            keepsJobs: !UserFolders.isQueueSwitchedOff
        ) { [json] event in
            // The report has the same.
            if json, case .note(let note) = event, note is CompactionNote { return }
            work.tell(event)
        }
        context.wording = JobWords()
        context.repositories = { try RepositoryAccess(variable: UserFolders.variable) }
        context.stores = { try StoreAccess(variable: UserFolders.variable) }
        context.checkpoint = { if valise_interrupted() { throw Interruption() } }
        return context
    }
}

extension AsynchronousWork {
    /// Shows an event of an operation.
    func tell(_ event: OperationEvent) {
        switch event {
        case .progress(let progress): show(progress)
        case .note(let note): tell(note)
        // The report has them all.
        case .entryFailed: break
        }
    }

    private func tell(_ note: any OperationNote) {
        switch note {
        case let note as PassphraseNote:
            if case .stored(let store, let account) = note { return StoredKeyUse.note(store, account) }
            warn(note.text)
        case let note as ImportNote: warn(note.text)
        case RetentionNote.failed(let failure): warn(failure.text)
        case let note as RetentionNote where note.isWarning: warn(note.text)
        case let note as RepositoryNote where note.isWarning: warn(note.text)
        case let note as StoreNote where note.isWarning: warn(note.text)
        case TransferNotice.troubled(let relay, let error):
            self.note(trouble: error.sentence, of: relay.text)
        case TransferNotice.settled: forgetTroubles()
        // Why it was not done comes first.
        case JobNote.kept: Afterwords.add(NoteText.text(note))
        default: ([NoteText.text(note)] + NoteText.hints(note).map(\.note)).forEach { self.note($0) }
        }
    }
}

extension OutputOptions {
    /// Shows what a command would do, for its `--dry-run`.
    ///
    /// - Parameters:
    ///   - operation: what would be done, for the JSON document.
    ///   - changes: imperative clauses, such as `remove the record`.
    ///   - plan: what would be done with files, or how much would be done.
    func show(_ operation: String, would changes: [String] = [], files plan: (any TimedPlan)? = nil) throws {
        let planned = PlannedChanges(operation, changes, plan)
        try print(planned) { planned.text }
    }
}
