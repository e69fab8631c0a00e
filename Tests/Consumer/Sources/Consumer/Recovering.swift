import Valise

/// Completes or takes back what an earlier run left of an account, and resumes the jobs that are due.
///
/// - Returns: the jobs that are left: they wait for a later time, or for the user.
func finishEarlierWork(on account: AccountLocation, in context: OperationContext) async throws -> [Job] {
    let recovered = try await RecoverAccount(account).run(in: context)
    if let record = recovered.record {
        print("\(record.title): \(recovered.outcome == .completed ? "completed" : "rolled back")")
    }
    return try await RunJobs().run(in: context).left
}
