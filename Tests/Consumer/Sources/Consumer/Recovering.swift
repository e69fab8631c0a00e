import Valise

/// Completes or takes back what an earlier run left of an account, and resumes the jobs that are due.
///
/// - Returns: the jobs that are left: they wait for a later time, or for the user.
func finishEarlierWork(on account: AccountLocation, in context: OperationContext) async throws -> [Job] {
    let recovered = try await RecoverAccount(account).run(in: context)
    switch recovered.recovery?.state {
    case .before: print("the interrupted operation had not been decided: the account is as it was")
    case .after: print("the interrupted operation was completed")
    case nil: break
    }
    return try await RunJobs().run(in: context)
}
