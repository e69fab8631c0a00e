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
