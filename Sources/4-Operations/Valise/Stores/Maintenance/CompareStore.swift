package import SystemPackage
import ValiseConcurrency
import ValiseContentStore
import ValiseFailures
import ValiseFiles

/// Compares a folder with a store by the digests of the contents. Nothing is changed.
package struct CompareStore: Operation {
    package var store: StoreInput
    package var folder: FilePath

    package init(_ store: StoreInput, with folder: FilePath) {
        self.store = store
        self.folder = folder
    }

    /// - Throws: `StorageError`; `FileError`.
    package func run(in context: OperationContext) async throws -> ComparedStore {
        try await store.opened(in: context) { store, progress in
            var compared = ComparedStore(
                place: self.store.address.absoluteText, folder: try FileSystem().resolve(folder).string)
            let report = try StoreComparison(store, folder).run(progress) { compared.add($0) }
            compared.finish(report)
            context.tell(compared.entryFailures)
            return compared
        }
    }
}

/// What differs between a folder and a store.
package struct ComparedStore: OperationReport {
    /// A path that differs.
    package struct Difference: Sendable, Encodable, Equatable {
        package let path: String
        /// `changed`, `added` where only the folder has it, `removed` where only the store has it.
        package let state: String
        /// In the folder, in bytes; nil where it is not there.
        package let size: Int64?
        /// In the store, in bytes; nil where it is not there.
        package let storedSize: Int64?
        /// Which device wrote what the store has.
        package let device: String?
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    package let folder: String
    /// Files and links that are the same.
    package private(set) var same = 0
    package private(set) var changed = 0
    package private(set) var added = 0
    package private(set) var removed = 0
    /// The first ones, in the order of their paths.
    package private(set) var differences: [Difference] = []
    package private(set) var entryFailures: [EntryFailure] = []

    /// The most that are listed.
    private static let most = 10_000

    init(place: String, folder: String) {
        self.place = place
        self.folder = folder
    }

    /// Whether folder and store have the same files.
    package var isSame: Bool { changed + added + removed == 0 && entryFailures.isEmpty }

    mutating func add(_ item: ComparedItem) {
        guard let state = item.state, state != .same, differences.count < Self.most else { return }
        differences.append(
            Difference(
                path: item.path.text, state: state.rawValue, size: item.local?.size,
                storedSize: item.remote?.size, device: item.remote?.device))
    }

    mutating func finish(_ report: StoreComparisonReport) {
        same = report.counts[.same] ?? 0
        changed = report.counts[.changed] ?? 0
        added = report.counts[.added] ?? 0
        removed = report.counts[.removed] ?? 0
        entryFailures = report.problems.map { EntryFailure($0.path, Remark($0.message)) }
    }

    private enum CodingKeys: CodingKey {
        case place, folder, isSame, same, changed, added, removed, differences, problems
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place, forKey: .place)
        try container.encode(folder, forKey: .folder)
        try container.encode(isSame, forKey: .isSame)
        try container.encode(same, forKey: .same)
        try container.encode(changed, forKey: .changed)
        try container.encode(added, forKey: .added)
        try container.encode(removed, forKey: .removed)
        try container.encode(differences, forKey: .differences)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }
}
