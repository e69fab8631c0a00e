import Synchronization
import ValiseFailures

/// A store in memory: for tests, and for drills that leave nothing behind.
package final class MemoryStore: BlobStore {
    private let stored: Mutex<[StoredName: [UInt8]]>

    package let location: String

    /// - Parameters:
    ///   - files: what is in it at first.
    ///   - location: how messages name it.
    package init(_ files: [StoredName: [UInt8]] = [:], location: String = "memory") {
        stored = Mutex(files)
        self.location = location
    }

    /// All that is in it at this moment.
    package var files: [StoredName: [UInt8]] { stored.withLock { $0 } }

    package func create() throws {}

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        let isThere = stored.withLock { stored in
            guard let previous = stored[name] else {
                stored[name] = content
                return true
            }
            return previous == content
        }
        guard isThere else { throw StorageError.otherContent(name.description) }
    }

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        let content = try content(of: name)
        return try range.map { try content.part($0, of: name.description) } ?? content
    }

    package func size(of name: StoredName) throws -> Int64 { Int64(try content(of: name).count) }

    private func content(of name: StoredName) throws -> [UInt8] {
        guard let content = stored.withLock({ $0[name] }) else {
            throw StorageError(.general, .notFound, "no such file in the repository", name.description)
        }
        return content
    }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        // Not under the lock: whoever lists may store and remove meanwhile.
        for case (.file(kind, let id), let content) in files { try body(id, Int64(content.count)) }
    }

    package func remove(_ name: StoredName) throws { stored.withLock { _ = $0.removeValue(forKey: name) } }
}
