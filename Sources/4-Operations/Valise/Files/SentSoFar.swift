import Synchronization

/// What ``SendFiles`` has sent before something failed.
package final class SentSoFar: Sendable {
    private struct State {
        var files: [SentFile] = []
        var isAll = false
    }

    private let sent = Mutex(State())

    package init() {}

    package var files: [SentFile] { sent.withLock { $0.files } }
    /// Whether there is no more to send, and all was shown.
    package var isAll: Bool { sent.withLock { $0.isAll } }

    package func add(_ file: SentFile) { sent.withLock { $0.files.append(file) } }
    package func end() { sent.withLock { $0.isAll = true } }
}
