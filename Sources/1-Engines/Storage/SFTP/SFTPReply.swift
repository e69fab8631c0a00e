import Synchronization
import ValiseConcurrency

/// The answer to a request, which one thread waits for.
final class SFTPReply: Sendable {
    private let kept = Mutex<Result<SFTPResponse, StorageError>?>(nil)
    private let gate = Gate()

    /// It has come.
    func keep(_ result: Result<SFTPResponse, StorageError>) {
        kept.withLock { $0 = result }
        gate.signal()
    }

    /// Nil where it does not come in this time.
    func result(within patience: Duration) -> Result<SFTPResponse, StorageError>? {
        if let result = kept.withLock({ $0 }) { return result }
        _ = gate.wait(atMost: patience)
        return kept.withLock { $0 }
    }
}
