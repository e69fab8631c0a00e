/// Which jobs are asked for; nil for any.
package struct JobFilter: Sendable, Equatable {
    package var states: Set<JobState>?
    package var kinds: Set<String>?
    package var uniqueKey: String?

    package init(
        states: Set<JobState>? = nil, kinds: Set<String>? = nil, uniqueKey: String? = nil
    ) {
        self.states = states
        self.kinds = kinds
        self.uniqueKey = uniqueKey
    }

    /// Those that have not ended.
    package static var open: Self { Self(states: [.waiting, .running, .needsUser]) }
}

/// How many jobs there are.
package struct JobCounts: Sendable, Equatable {
    /// By state; one that has none is missing.
    package let byState: [JobState: Int]
    /// Of the running ones, those whose worker is gone.
    package let left: Int

    /// How many are in a state.
    package subscript(state: JobState) -> Int { byState[state] ?? 0 }

    /// Those that have not ended.
    package var open: Int { self[.waiting] + self[.running] + self[.needsUser] }
}
