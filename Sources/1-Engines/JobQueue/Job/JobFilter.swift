/// Which jobs are asked for; nil for any.
public struct JobFilter: Sendable, Equatable {
    public var states: Set<JobState>?
    public var kinds: Set<String>?
    public var uniqueKey: String?

    public init(
        states: Set<JobState>? = nil, kinds: Set<String>? = nil, uniqueKey: String? = nil
    ) {
        self.states = states
        self.kinds = kinds
        self.uniqueKey = uniqueKey
    }

    /// Those that have not ended.
    public static var open: Self { Self(states: [.waiting, .running, .needsUser]) }
}

/// How many jobs there are.
public struct JobCounts: Sendable, Equatable {
    /// By state; one that has none is missing.
    public let byState: [JobState: Int]
    /// Of the running ones, those whose worker is gone.
    public let left: Int

    /// How many are in a state.
    public subscript(state: JobState) -> Int { byState[state] ?? 0 }

    /// Those that have not ended.
    public var open: Int { self[.waiting] + self[.running] + self[.needsUser] }
}
