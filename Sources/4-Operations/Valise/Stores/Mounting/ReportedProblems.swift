import Synchronization

/// Which problems of a mount were reported: a system asks several times for what it did not get, and each is said once.
final class ReportedProblems: Sendable {
    /// So many are remembered. What comes after them is not reported: it is in the errors of whoever reads.
    private static let most = 1000

    private let texts = Mutex<Set<String>>([])

    /// Remembers a problem.
    /// - Returns: whether it is to be reported.
    func isNew(_ text: String) -> Bool {
        texts.withLock { $0.count < Self.most && $0.insert(text).inserted }
    }
}
