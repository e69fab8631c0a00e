import Synchronization
import ValiseCryptography
import ValiseStorage

/// What the files of a store use, as far as it was read.
final class UsedObjects: Sendable {
    private struct State {
        /// Paths with the versions of their entries, as digests.
        var entries: Set<ContentDigest> = []
        var manifests: Set<ObjectName> = []
        var chunks: Set<ObjectName> = []
        /// Manifests that were seen, used or not.
        var seen: Set<ObjectName> = []
    }

    private let state = Mutex(State())

    var entryCount: Int { state.withLock { $0.entries.count } }

    /// - Returns: whether the entry is new, or has another version than before.
    /// - Throws: `CryptographyError`.
    func add(entry path: StorePath, _ version: ObjectVersion) throws -> Bool {
        let digest = try ContentDigest(of: Array("\(version.text)\n\(path.text)".utf8))
        return state.withLock { $0.entries.insert(digest).inserted }
    }

    func add(manifest name: ObjectName, _ chunks: [ObjectName]) {
        state.withLock { state in
            state.seen.insert(name)
            state.manifests.insert(name)
            state.chunks.formUnion(chunks)
        }
    }

    /// Remembers that a manifest is stored.
    func note(manifest name: ObjectName) { _ = state.withLock { $0.seen.insert(name) } }

    func contains(manifest name: ObjectName) -> Bool { state.withLock { $0.manifests.contains(name) } }

    func contains(chunk name: ObjectName) -> Bool { state.withLock { $0.chunks.contains(name) } }

    func hasSeen(manifest name: ObjectName) -> Bool { state.withLock { $0.seen.contains(name) } }
}
