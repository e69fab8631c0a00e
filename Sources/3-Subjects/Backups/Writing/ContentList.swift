import Synchronization
import ValiseStorage

/// The pieces of a file, which several threads find in any order.
final class ContentList: Sendable {
    private struct State {
        var ids: [ContentID]
        var new = 0
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(
            State(ids: Array(repeating: ContentID(words: (0, 0, 0, 0)), count: count)))
    }

    /// Makes places for pieces that come in any order.
    func makePlaces(_ count: Int) {
        state.withLock {
            $0.ids = Array(repeating: ContentID(words: (0, 0, 0, 0)), count: count)
        }
    }

    /// Takes the identifiers of pieces that follow each other.
    /// - Parameters:
    ///   - first: the number of the first of them.
    ///   - new: how many of them were not stored before.
    func set(_ ids: [ContentID], from first: Int, new: Int) {
        state.withLock { state in
            for (place, id) in ids.enumerated() { state.ids[first + place] = id }
            state.new += new
        }
    }

    /// Takes the identifier of a piece behind the last one.
    func append(_ id: ContentID, isNew: Bool) {
        state.withLock { state in
            state.ids.append(id)
            if isNew { state.new += 1 }
        }
    }

    /// All of them, once all threads are done.
    var ids: [ContentID] { state.withLock { $0.ids } }

    /// How many were not stored before.
    var newCount: Int { state.withLock { $0.new } }
}
