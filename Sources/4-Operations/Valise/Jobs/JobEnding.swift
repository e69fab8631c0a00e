/// How a change of an account ended that a later run looked after: it was not done there, only completed or rolled back.
public enum JobEnding: String, Codable, Sendable {
    /// It had been decided, and is in place.
    case completed
    /// It had not been decided: the account is as it was before.
    case rolledBack
    /// The account is intact, but whether the change is in it cannot be told.
    case unknown
}
