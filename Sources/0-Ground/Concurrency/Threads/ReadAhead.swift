import Synchronization
import ValiseFailures

/// Makes elements on a thread of its own, ahead of the thread that works on them, and never more than a few at a time.
package enum ReadAhead {
    /// Makes elements and works on them, in their order.
    ///
    /// - Parameters:
    ///   - depth: how many elements may wait.
    ///   - produce: runs on a thread of its own and hands over one element after the other, from any thread until it returns; what
    ///     it is given throws once nobody wants them any more.
    ///   - consume: gets each element on the calling thread; throw to stop.
    /// - Throws: what either of them throws.
    package static func run<Element: Sendable>(
        depth: Int = 4, _ produce: @escaping @Sendable (@Sendable (Element) throws -> Void) throws -> Void,
        _ consume: (Element) throws -> Void
    ) throws {
        let waiting = WaitingElements<Element>(depth: depth)
        let producer = BackgroundTask<Void> { _ in
            defer { waiting.end() }
            try produce { try waiting.add($0) }
        }
        do {
            while let element = waiting.next() { try consume(element) }
        } catch {
            waiting.refuse()
            throw error
        }
        try producer.value()
    }
}

/// What was made and is not worked on yet.
private final class WaitingElements<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isRefused = false
    }

    private let state = Mutex(State())
    private let free: Gate
    private let filled = Gate()

    init(depth: Int) { free = Gate(open: depth) }

    func add(_ element: Element) throws {
        free.wait()
        let isRefused = state.withLock { state in
            if !state.isRefused { state.elements.append(element) }
            return state.isRefused
        }
        if isRefused {
            // Others may wait for a place too.
            free.signal()
            throw Interruption()
        }
        filled.signal()
    }

    /// What is taken behind the last element is nil.
    func end() { filled.signal() }

    /// Nil at the end.
    func next() -> Element? {
        filled.wait()
        let element = state.withLock { state in
            state.elements.isEmpty ? nil : state.elements.removeFirst()
        }
        free.signal()
        return element
    }

    /// Nobody takes any more.
    func refuse() {
        state.withLock { state in
            state.isRefused = true
            state.elements = []
        }
        free.signal()
    }
}
