import Synchronization
package import SystemPackage
package import ValiseFiles

/// Fails the n-th changing operation of a file system, once or from then on.
package final class FaultPlan: FileInterposer {
    /// What happens at the n-th operation.
    package enum Fault: Sendable {
        /// Nothing: operations are only counted.
        case none
        /// This one fails; the ones after it work.
        case fail(Errno)
        /// This one and all after it fail: the process is dead, its clean-up does not run either.
        case crash
        /// This write takes half of its bytes; the ones after it work.
        case shortWrite
        /// The process dies in the midst of this write, which takes half of its bytes, or before another operation.
        case tornWrite
    }

    private let fault: Fault
    private let position: Int
    private let counter = Mutex(0)

    package init(_ fault: Fault, at position: Int = .max) {
        self.fault = fault
        self.position = position
    }

    /// How many operations there were.
    package var count: Int { counter.withLock { $0 } }

    /// Whether the n-th operation was reached.
    package var wasReached: Bool { count >= position }

    package func verdict(on operation: FileOperation) -> FileOperationVerdict {
        let number = counter.withLock { count in
            count += 1
            return count
        }
        switch fault {
        case .none: return .proceed
        case .fail(let errno): return number == position ? .fail(errno) : .proceed
        case .crash: return number >= position ? .fail(.ioError) : .proceed
        case .shortWrite:
            guard number == position, case .write(_, let count) = operation, count > 1 else {
                return .proceed
            }
            return .shorten(to: count / 2)
        case .tornWrite:
            if number == position, case .write(_, let count) = operation, count > 1 {
                return .shorten(to: count / 2)
            }
            return number >= position ? .fail(.ioError) : .proceed
        }
    }
}
