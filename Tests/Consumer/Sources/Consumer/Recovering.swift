import Valise

/// Completes or rolls back an interrupted operation on an account, and runs all pending jobs.
///
/// - Returns: the remaining jobs, which wait for a later time or for the user.
func finishEarlierWork(on account: AccountLocation, in context: OperationContext) async throws -> [Job] {
    let recovered = try await RecoverAccount(account).run(in: context)
    if let record = recovered.record {
        print("\(record.title): \(recovered.outcome == .completed ? "completed" : "rolled back")")
    }
    return try await RunJobs().run(in: context).left
}

/// Resumes whatever was interrupted, one after the other.
///
/// - Returns: what cannot be resumed now, and why.
func resumeEarlierWork(on account: AccountLocation, in context: OperationContext) async throws -> [String] {
    var left: [String] = []
    for record in try await ListOperations(accounts: [account]).run(in: context).records {
        do {
            let resumed = try await ResumeOperation(record).run(in: context)
            if case .job(let job) = resumed, let failure = job.failure { throw failure }
        } catch let failure as any Failure {
            left.append("\(record.title): \(failure.message)")
        }
    }
    return left
}
