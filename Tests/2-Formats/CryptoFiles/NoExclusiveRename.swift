import FaultInjection
import Synchronization
import SystemPackage
import ValiseFiles

/// A file system that cannot rename without replacing, and perhaps has no hard links either.
final class NoExclusiveRename: FileInterposer {
    let plan: FaultPlan
    private let errno: Errno
    private let linking: Errno?
    private let state = Mutex((refusals: 0, isNext: false))

    /// - Parameters:
    ///   - errno: how it says that it cannot.
    ///   - linking: how it says that it has no hard links.
    init(_ errno: Errno, _ fault: FaultPlan.Fault = .none, at position: Int = .max, linking: Errno? = nil) {
        self.errno = errno
        self.linking = linking
        plan = FaultPlan(fault, at: position)
    }

    /// How often it was asked to.
    var refusals: Int { state.withLock(\.refusals) }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        if case .rename = operation {
            state.withLock { $0 = ($0.refusals + 1, true) }
            return .fail(errno)
        }
        let isLink = state.withLock { state in
            defer { state.isNext = false }
            return state.isNext
        }
        if isLink, let linking { return .fail(linking) }
        return plan.verdict(on: operation)
    }
}
