/// A piece of work that goes to and fro between its owner and a thread: the owner fills it, the thread works on it, the owner
/// takes what came of it. No byte is copied on the way.
///
/// The slot itself is not `Sendable`, so that it has one owner, as the compiler sees to.
package final class WorkerSlot<Work: AnyObject> {
    private final class Shared: @unchecked Sendable {
        // Unchecked: between `start` and `wait` only the block that was added to the queue touches this, otherwise only the
        // owner, whose accessors trap in between. The queue and the gate order both for the memory.
        let work: Work
        var failure: (any Error)?
        let done = Gate()

        init(_ work: Work) { self.work = work }
    }

    private let shared: Shared
    private let queue = SerialQueue()
    private var isRunning = false

    /// - Parameter work: is the slot's from now on.
    package init(_ work: sending Work) { shared = Shared(work) }

    /// What is worked on, while it does not run.
    package var work: Work {
        precondition(!isRunning, "slot used while its thread is running")
        return shared.work
    }

    /// Begins.
    ///
    /// - Parameters:
    ///   - queue: another one than the slot's own, where several slots are to be done in their order.
    ///   - body: keeps nothing of the work.
    package func start(on queue: SerialQueue? = nil, _ body: @escaping @Sendable (Work) throws -> Void) {
        precondition(!isRunning, "slot started twice")
        isRunning = true
        (queue ?? self.queue).add { [shared] in
            do { try body(shared.work) } catch { shared.failure = error }
            shared.done.signal()
        }
    }

    /// Waits for the end of what was begun; returns at once where nothing was.
    /// - Throws: what the body threw, from then on each time.
    package func wait() throws {
        if isRunning {
            shared.done.wait()
            isRunning = false
        }
        if let failure = shared.failure { throw failure }
    }
}
