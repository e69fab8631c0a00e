import Synchronization

/// Whether a relay takes new chunks and uploads. It does so until it is about to stop: then it answers them with `TIMEOUT`,
/// which clients take for temporary. They try again, with another process where there is one.
final class Intake: Sendable {
    private let isClosed = Atomic(false)

    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    func close() { isClosed.store(true, ordering: .relaxed) }
}
