import Synchronization
import ValiseSecrets
import ValiseStorage

/// What was read of a repository a moment ago. It is bounded; what goes is wiped, since it is messages.
package final class BlobCache: Sendable {
    /// The content of a blob.
    final class Content: @unchecked Sendable {
        // Unchecked: nobody changes the bytes but the end of this object.
        private(set) var bytes: [UInt8]

        init(_ bytes: consuming [UInt8]) { self.bytes = bytes }

        deinit { unsafe bytes.withUnsafeMutableBytes { unsafe SecretMemory.wipe($0) } }
    }

    /// Two generations: what is asked for moves to the young one, and the old one goes when that is full.
    private struct State {
        var young: [ContentID: Content] = [:]
        var old: [ContentID: Content] = [:]
        var youngSize = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: in bytes.
    package init(capacity: Int) { self.capacity = capacity }

    /// The content of a blob; nil where it has to be read.
    func content(_ id: ContentID) -> Content? {
        state.withLock { state in
            if let content = state.young[id] { return content }
            guard let content = state.old[id] else { return nil }
            keep(content, id, &state)
            return content
        }
    }

    /// Takes the content of a blob on.
    func add(_ content: Content, _ id: ContentID) { state.withLock { keep(content, id, &$0) } }

    private func keep(_ content: Content, _ id: ContentID, _ state: inout State) {
        guard state.young.updateValue(content, forKey: id) == nil else { return }
        state.youngSize += content.bytes.count
        guard state.youngSize > capacity / 2 else { return }
        (state.old, state.young, state.youngSize) = (state.young, [:], 0)
    }
}
