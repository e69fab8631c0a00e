import ValiseFailures
import ValiseStorage

/// A store in which others are quicker at a given moment, or which refuses something.
struct InterceptedStore: BlobStore {
    /// What is going to be done.
    enum Call: Equatable {
        case put(StoredName)
        case get(StoredName)
        case list(StoredKind)
        case remove(StoredName)
    }

    private let store: any BlobStore
    private let before: @Sendable (Call) throws -> Void

    /// - Parameter before: is called before each call is done; throw to refuse it.
    init(_ store: any BlobStore, _ before: @escaping @Sendable (Call) throws -> Void) {
        self.store = store
        self.before = before
    }

    /// One that keeps everything but locks, as rest-server with `--append-only`.
    static func appendOnly(_ store: any BlobStore) -> InterceptedStore {
        InterceptedStore(store) { call in
            guard case .remove(let name) = call else { return }
            if case .file(.locks, _) = name { return }
            throw StorageError(.appendOnly, .denied, "the server keeps everything", name.description)
        }
    }

    var location: String { store.location }

    func create() throws { try store.create() }

    func put(_ name: StoredName, _ content: [UInt8]) throws {
        try before(.put(name))
        try store.put(name, content)
    }

    func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        try before(.get(name))
        return try store.get(name, range)
    }

    func size(of name: StoredName) throws -> Int64 { try store.size(of: name) }

    func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        try before(.list(kind))
        try store.list(kind, body)
    }

    func remove(_ name: StoredName) throws {
        try before(.remove(name))
        try store.remove(name)
    }
}
