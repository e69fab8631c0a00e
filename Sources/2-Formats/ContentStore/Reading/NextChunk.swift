import Synchronization

/// The first chunk that was not handed over yet.
final class NextChunk: Sendable {
    private let value: Mutex<Int>

    init(_ number: Int) { value = Mutex(number) }

    var number: Int {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
