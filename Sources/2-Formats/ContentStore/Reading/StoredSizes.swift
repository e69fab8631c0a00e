import Synchronization

/// The sizes of stored chunks, as far as they are known. A chunk never changes, and manifests do not have them.
final class StoredSizes: Sendable {
    /// So many are kept, some ten megabytes of them.
    private static let most = 100_000

    private let sizes = Mutex<[ObjectName: Int64]>([:])

    /// The size of an object in bytes, nil where it is not known.
    subscript(_ name: ObjectName) -> Int64? {
        get { sizes.withLock { $0[name] } }
    }

    /// Remembers a size.
    func note(_ name: ObjectName, _ size: Int64) {
        sizes.withLock { sizes in
            if sizes.count >= Self.most { sizes.removeAll(keepingCapacity: true) }
            sizes[name] = size
        }
    }
}
