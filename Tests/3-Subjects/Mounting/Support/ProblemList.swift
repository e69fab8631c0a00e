import Synchronization

@testable import ValiseMounting

/// What is told of a tree.
final class ProblemList: Sendable {
    private let problems = Mutex<[MountProblem]>([])

    func add(_ problem: MountProblem) { problems.withLock { $0.append(problem) } }

    var names: [String] { problems.withLock { $0.map(\.name) } }
}
