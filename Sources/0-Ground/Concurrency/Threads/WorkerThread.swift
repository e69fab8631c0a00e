package import Dispatch

/// The one place where threads come from.
package enum WorkerThread {
    /// Runs the body on a thread of its own.
    ///
    /// - Parameter group: is left when the body has ended and nothing of it is left, what it captured included.
    package static func start(in group: DispatchGroup? = nil, _ body: @escaping @Sendable () -> Void) {
        // A queue of its own has a thread of its own. The shared pool may be full of callers that wait for us, and then
        // starts no other thread for a second. Threads that ended are used again for a while.
        DispatchQueue(label: "valise.worker").async(group: group, execute: body)
    }
}
