import Dispatch

/// Lets threads wait for each other: each signal lets one of them through.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// - Parameter count: so many pass before anybody waits.
    package init(open count: Int = 0) {
        // Not the semaphore's own first value: one that ends below that traps.
        for _ in 0..<count { semaphore.signal() }
    }

    /// Lets one through, now or later.
    package func signal() { semaphore.signal() }

    /// Waits for a signal. Never on a thread of tasks.
    package func wait() { semaphore.wait() }

    /// Waits for a signal, but no longer than `patience`.
    /// - Returns: whether there was one.
    package func wait(atMost patience: Duration) -> Bool {
        let (seconds, attoseconds) = patience.components
        let nanoseconds = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !nanoseconds.overflow else {
            wait()
            return true
        }
        let time = nanoseconds.partialValue + Int(attoseconds / 1_000_000_000)
        return semaphore.wait(timeout: .now() + .nanoseconds(time)) == .success
    }
}
