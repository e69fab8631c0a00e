import Valise
import ValiseTerminal

/// What came of a command that changes a repository's passwords.
enum RepositoryOutcome<Report: Sendable>: Sendable {
    case planned(RepositoryChanges)
    case done(Report)
}

extension OutputOptions {
    /// Runs an operation that gets a new password from the user, or shows what it would do.
    ///
    /// - Parameters:
    ///   - type: of the operation.
    ///   - name: of the operation, for the JSON document of the dry run.
    ///   - canAsk: whether the user can be asked.
    ///   - make: the operation; gets the work in which the terminal is asked.
    /// - Returns: nil for a dry run.
    func change<Changing: Operation>(
        _ type: Changing.Type, _ name: String, _ dryRun: DryRunOption, _ canAsk: Bool,
        _ make: @escaping @Sendable (AsynchronousWork<RepositoryOutcome<Changing.Report>>) throws -> Changing
    ) throws -> Changing.Report? where Changing.Plan == RepositoryChanges {
        let outcome: RepositoryOutcome<Changing.Report> = try perform(Answers(canAsk: canAsk)) {
            context, work in
            let operation = try make(work)
            return try await dryRun.isAsked
                ? .planned(operation.plan(in: context)) : .done(operation.run(in: context))
        }
        switch outcome {
        case .done(let report): return report
        case .planned(let plan):
            try show(name, would: plan.changes, files: plan.files)
            return nil
        }
    }
}
