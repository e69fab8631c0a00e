/// How far a long act is. Given to a closure that may throw ``Failures/Interruption`` to stop the act.
public struct WorkProgress: Sendable, Equatable {
    /// What is being done, such as `copying the chat database`.
    public let activity: String
    /// How much is done.
    public let done: Int64
    /// Of how much; nil where that is not known.
    public let total: Int64?

    public init(_ activity: String, done: Int64 = 0, total: Int64? = nil) {
        self.activity = activity
        self.done = done
        self.total = total
    }
}

/// Sees the progress of an act; throws to stop it.
public typealias ProgressHandler = (WorkProgress) throws -> Void
