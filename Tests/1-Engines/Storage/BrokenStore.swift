import ValiseFailures
import ValiseStorage

/// A store that does not keep one of the promises.
struct BrokenStore: BlobStore {
    enum Defect: CaseIterable {
        case shortAnswers, ignoredRanges, shortRanges, damagedContent, lostPuts, replacedConfiguration,
            refusedRepeats,
            kept, shortLists, listedTwice, wrongSizes, failingRemovals, silentAbsence
    }

    private let store: any BlobStore
    private let defect: Defect

    init(_ store: any BlobStore, _ defect: Defect) {
        self.store = store
        self.defect = defect
    }

    var location: String { "\(defect)" }

    func create() throws { try store.create() }

    func put(_ name: StoredName, _ content: [UInt8]) throws {
        switch defect {
        case .lostPuts where content.count == 1: return
        case .replacedConfiguration where name == .config: try store.remove(name)
        case .refusedRepeats where try store.has(name):
            throw StorageError(.general, .alreadyExists, "already exists")
        default: break
        }
        try store.put(name, content)
    }

    func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        switch defect {
        case .shortAnswers: return try store.get(name, range).dropLast()
        case .ignoredRanges: return try store.get(name, nil)
        case .shortRanges:
            let size = try store.size(of: name)
            return try store.get(name, range?.clamped(to: 0..<size))
        case .damagedContent: return try store.get(name, range).map { $0 == 77 ? 78 : $0 }
        case .silentAbsence: return try store.has(name) ? store.get(name, range) : []
        default: return try store.get(name, range)
        }
    }

    func size(of name: StoredName) throws -> Int64 {
        try store.size(of: name) + (defect == .wrongSizes ? 1 : 0)
    }

    func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        var files: [(id: ContentID, size: Int64)] = try store.list(kind)
        switch defect {
        case .shortLists: files = files.dropLast(files.count > 15 ? 1 : 0)
        case .listedTwice: files += files.prefix(1)
        default: break
        }
        for (id, size) in files { try body(id, size) }
    }

    func remove(_ name: StoredName) throws {
        switch defect {
        case .kept: return
        case .failingRemovals where try !store.has(name):
            throw StorageError(.general, .notFound, "no such file")
        default: try store.remove(name)
        }
    }
}
