package import ValiseFailures

/// What a synchronization did.
package struct SyncReport: Sendable {
    /// Steps that were done, or that somebody had done already.
    package internal(set) var done: [SyncPlan.Action: Int] = [:]
    /// Bytes of files that were moved.
    package internal(set) var bytes: Int64 = 0
    /// Paths with two versions that exclude each other, which nobody decided. Both are unchanged.
    package internal(set) var conflicts: [StorePath] = []
    /// Paths that were changed since the plan was made; the next plan has them.
    package internal(set) var changed: [StorePath] = []
    package internal(set) var failed: [(path: StorePath, error: any Failure)] = []

    /// Whether folder and store are now what the plan wanted.
    package var isComplete: Bool { conflicts.isEmpty && changed.isEmpty && failed.isEmpty }
}
