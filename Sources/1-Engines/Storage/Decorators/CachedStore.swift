import Synchronization
package import SystemPackage
import ValiseCryptography
package import ValiseFiles

/// Keeps copies of what every run reads: indexes, snapshots and key files. Never packs, which have the content of the accounts.
///
/// What is there and what is not, the store alone says. A copy counts only if it has the digest that is its name. A cache that
/// cannot be used costs time and nothing else: its failures go to an observer.
package final class CachedStore: BlobStore {
    private let store: any BlobStore
    private let cache: MetadataCache
    private let clock: StorageClock
    private let observer: @Sendable (any Error) -> Void
    /// False once a copy could not be written: the next ones could not either.
    private let isWritable = Atomic(true)

    /// The folders of which copies are kept.
    package static let kinds: Set<StoredKind> = [.index, .snapshots, .keys]

    /// - Parameters:
    ///   - store: what is asked.
    ///   - folder: of all caches of this user. It is made where it is missing.
    ///   - repository: the id in the repository's configuration.
    ///   - fileSystem: where the cache is.
    ///   - clock: says how old leftover files are.
    ///   - observer: gets what is wrong with the cache.
    /// - Throws: ``StorageError``, or a ``FileError``, where the folder cannot be used: `denied` where others may enter it.
    package init(
        _ store: any BlobStore, in folder: FilePath, repository: ContentID,
        fileSystem: FileSystem = FileSystem(), clock: StorageClock = StorageClock(),
        observer: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        self.store = store
        cache = try MetadataCache(folder, repository, fileSystem)
        self.clock = clock
        self.observer = observer
    }

    package var location: String { store.location }

    package func create() throws { try store.create() }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        try store.put(name, content)
        if let (kind, id) = cached(name) { keep(kind, id, content) }
    }

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        guard let (kind, id) = cached(name) else { return try store.get(name, range) }
        if let content = copy(kind, id) {
            return try range.map { try content.part($0, of: name.description) } ?? content
        }
        let content = try store.get(name, range)
        if range == nil { keep(kind, id, content) }
        return content
    }

    package func size(of name: StoredName) throws -> Int64 { try store.size(of: name) }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        guard Self.kinds.contains(kind) else { return try store.list(kind, body) }
        var listed: Set<ContentID> = []
        try store.list(kind) { id, size in
            listed.insert(id)
            try body(id, size)
        }
        observing { try cache.keepOnly(listed, kind, now: clock.calendarTime()) }
    }

    package func remove(_ name: StoredName) throws {
        try store.remove(name)
        if let (kind, id) = cached(name) { observing { try cache.remove(kind, id) } }
    }

    // MARK: Copies

    private func cached(_ name: StoredName) -> (StoredKind, ContentID)? {
        guard case .file(let kind, let id) = name, Self.kinds.contains(kind) else { return nil }
        return (kind, id)
    }

    private func copy(_ kind: StoredKind, _ id: ContentID) -> [UInt8]? {
        var content: [UInt8]?
        observing { content = try cache.read(kind, id) }
        return content
    }

    private func keep(_ kind: StoredKind, _ id: ContentID, _ content: [UInt8]) {
        // What is damaged at the store must not look intact later.
        guard isWritable.load(ordering: .relaxed), SHA256.hash(content) == id.bytes else { return }
        observing {
            do {
                try cache.write(kind, id, content)
            } catch {
                isWritable.store(false, ordering: .relaxed)
                throw error
            }
        }
    }

    private func observing(_ body: () throws -> Void) {
        do { try body() } catch { observer(error) }
    }
}
