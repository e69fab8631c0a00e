package import ValiseConcurrency
import ValiseStorage

/// What a store consists of, as its listings say. Nothing is read.
package struct StoreInventory: Sendable, Equatable {
    /// Index entries, tombstones included.
    package internal(set) var entries = 0
    /// Folders that have a marker.
    package internal(set) var markedFolders = 0
    package internal(set) var manifests = 0
    package internal(set) var chunks = 0
    /// Of all chunks.
    package internal(set) var chunkBytes: Int64 = 0
    /// Copies of deleted entries.
    package internal(set) var trashed = 0
    /// Manifests of uploads that went on or were interrupted, which nobody removes.
    package internal(set) var staged = 0
    /// Reserved names: there are none in stores of the first versions.
    package internal(set) var reservations = 0
    /// When an entry was stored last, in seconds since 1970; nil without entries.
    package internal(set) var changed: Int64?
}

extension ContentStore {
    /// Counts what the store has.
    /// - Throws: `StorageError`; whatever `progress` throws.
    package func status(_ progress: ProgressHandler = { _ in }) throws -> StoreInventory {
        var status = StoreInventory()
        var done: Int64 = 0
        func step() throws {
            done += 1
            if done % 1000 == 0 { try progress(OperationProgress("counting", completed: done, unit: .items)) }
        }
        func count(_ prefix: String, _ add: (ObjectAttributes) -> Void) throws {
            try objects.list(prefix, isDelimited: false, after: nil) { listed in
                try step()
                if case .object(_, let attributes) = listed { add(attributes) }
                return true
            }
        }
        try list(isRecursive: true) { item in
            try step()
            switch item {
            case .folder: status.markedFolders += 1
            case .unusable: break
            case .entry(_, let attributes):
                status.entries += 1
                status.changed = max(status.changed ?? .min, attributes.modified)
            }
            return true
        }
        try count(layout.manifests) { _ in status.manifests += 1 }
        try count(layout.chunks) { attributes in
            status.chunks += 1
            status.chunkBytes &+= attributes.size
        }
        try count(layout.trash) { _ in status.trashed += 1 }
        try count(layout.staging) { _ in status.staged += 1 }
        try count(layout.namespace) { _ in status.reservations += 1 }
        return status
    }
}
