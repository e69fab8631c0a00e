import Dispatch

/// Work that is done in its order, one piece after another, on a thread of its own.
package final class SerialQueue: Sendable {
    private let queue = DispatchQueue(label: "valise.serial")

    package init() {}

    /// Adds a piece; does not wait for it.
    package func add(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Waits until everything that was added before is done.
    package func drain() { queue.sync {} }
}
