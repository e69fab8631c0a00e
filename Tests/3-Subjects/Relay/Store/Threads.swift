import Dispatch
import Synchronization

/// Threads of a test.
enum Threads {
    /// Runs a body on as many threads of its own, and waits for all.
    /// - Throws: the first error of them.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        for number in 0..<count {
            DispatchQueue(label: "valise.test.\(number)").async(group: group) {
                do {
                    try body(number)
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                }
            }
        }
        group.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
