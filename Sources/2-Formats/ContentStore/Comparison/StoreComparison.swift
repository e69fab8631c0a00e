import Synchronization
package import SystemPackage
package import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
package import ValiseFiles
import ValiseStorage

/// Compares a folder with a store, or with a folder of it: by the digests of the contents.
///
/// Both are gone through in the order of paths, some at a time: memory does not grow with their number.
package struct StoreComparison: Sendable {
    let store: ContentStore
    let folder: FilePath
    let fileSystem: FileSystem
    /// Whether the digest of a file here is wanted even where its size tells that the contents differ.
    let needsDigests: Bool
    /// The digest of a file that was not changed since somebody computed it.
    let knownDigest: @Sendable (StorePath, FileAttributes) -> ContentDigest?

    /// So many are compared side by side.
    private static let batch = 256

    /// - Parameters:
    ///   - store: of which all paths are compared.
    ///   - folder: on disk.
    ///   - fileSystem: what it is read by.
    package init(_ store: ContentStore, _ folder: FilePath, fileSystem: FileSystem = FileSystem()) {
        self.init(store, folder, fileSystem, needsDigests: false, knownDigest: { _, _ in nil })
    }

    init(
        _ store: ContentStore, _ folder: FilePath, _ fileSystem: FileSystem, needsDigests: Bool,
        knownDigest: @escaping @Sendable (StorePath, FileAttributes) -> ContentDigest?
    ) {
        self.store = store
        self.folder = folder
        self.fileSystem = fileSystem
        self.needsDigests = needsDigests
        self.knownDigest = knownDigest
    }

    /// A path that is somewhere.
    private struct Pair: Sendable {
        let path: StorePath
        let local: FilePath?
        let kind: FileKind
        let isStored: Bool
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - progress: paths; throw to stop.
    ///   - body: gets each path in order.
    /// - Throws: `StorageError` where the store is not reached; `FileError` where a folder cannot be listed; whatever a closure
    ///   throws.
    package func run(
        _ progress: ProgressHandler = { _ in }, _ body: (ComparedItem) throws -> Void
    ) throws -> StoreComparisonReport {
        var report = StoreComparisonReport()
        var done: Int64 = 0
        var waiting: [Pair] = []
        func flush() throws {
            for result in try compare(waiting, { try progress(Self.progress(done + Int64($0))) }) {
                switch result {
                case .success(let item):
                    if let state = item.state { report.counts[state, default: 0] += 1 }
                    try body(item)
                case .failure(let problem): report.problems.append(problem.problem)
                }
            }
            done += Int64(waiting.count)
            waiting = []
        }
        try pairs { pair in
            waiting.append(pair)
            if waiting.count == Self.batch { try flush() }
        } problem: {
            report.problems.append($0)
        }
        try flush()
        return report
    }

    private static func progress(_ done: Int64) -> OperationProgress {
        OperationProgress("comparing", completed: done, unit: .items)
    }

    // MARK: Paths

    private func pairs(
        _ body: (Pair) throws -> Void, problem: (ComparisonProblem) -> Void
    ) throws {
        var walk = try LocalFileWalk(folder, fileSystem)
        var next = try nextLocal(&walk, problem)
        func pass(before path: StorePath?) throws {
            while let local = next, path.map({ local.path < $0 }) ?? true {
                try body(local)
                next = try nextLocal(&walk, problem)
            }
        }
        try store.list(isRecursive: true) { item in
            switch item {
            case .folder: break
            case .unusable(let key): problem(ComparisonProblem(path: key, message: "the key is no path"))
            case .entry(let path, _):
                try pass(before: path)
                if let local = next, local.path == path {
                    try body(Pair(path: path, local: local.local, kind: local.kind, isStored: true))
                    next = try nextLocal(&walk, problem)
                } else {
                    try body(Pair(path: path, local: nil, kind: .regular, isStored: true))
                }
            }
            return true
        }
        try pass(before: nil)
    }

    private func nextLocal(
        _ walk: inout LocalFileWalk, _ problem: (ComparisonProblem) -> Void
    ) throws -> Pair? {
        while let entry = try walk.next() {
            guard let text = entry.text else {
                problem(ComparisonProblem(path: entry.path.string, message: "the name is not UTF-8"))
                continue
            }
            guard entry.kind != .special else {
                problem(ComparisonProblem(path: text, message: "not a regular file"))
                continue
            }
            do throws(ContentStoreError) {
                let path = try StorePath(lenient: text)
                return Pair(path: path, local: entry.path, kind: entry.kind, isStored: false)
            } catch {
                problem(ComparisonProblem(path: text, message: error.message))
            }
        }
        return nil
    }

    // MARK: Contents

    private struct Problem: Error {
        let problem: ComparisonProblem
    }

    private func compare(
        _ pairs: [Pair], _ report: (Int) throws -> Void
    ) throws -> [Result<ComparedItem, Problem>] {
        let results = Mutex<[Int: Result<ComparedItem, Problem>]>([:])
        try ParallelBatches.run(
            count: pairs.count, workers: max(ParallelBatches.waitingWorkers, store.rules.chunksInFlight)
        ) {
        } work: { _, number in
            let result = try result(of: pairs[number])
            results.withLock { $0[number] = result }
        } report: {
            try report($0)
        }
        return results.withLock { results in pairs.indices.compactMap { results[$0] } }
    }

    private func result(of pair: Pair) throws -> Result<ComparedItem, Problem> {
        do {
            return .success(try compare(pair))
        } catch let error as any Failure where error.isOfObject {
            return .failure(Problem(problem: ComparisonProblem(path: pair.path.text, message: error.message)))
        }
    }

    private func compare(_ pair: Pair) throws -> ComparedItem {
        let content = pair.isStored ? try store.content(of: pair.path) : .nothing
        let remote = try content.item.map { try RemoteState($0) }
        var isDeleted = false
        if case .deleted = content { isDeleted = true }
        return ComparedItem(
            path: pair.path, local: try pair.local.flatMap { try state(of: $0, pair, remote) },
            remote: remote,
            isDeleted: isDeleted)
    }

    /// Nil where it is gone meanwhile.
    private func state(of file: FilePath, _ pair: Pair, _ remote: RemoteState?) throws -> LocalState? {
        guard let attributes = try fileSystem.attributes(of: file) else { return nil }
        let modified = ModificationTime(attributes)
        if pair.kind == .symbolicLink {
            let target = try fileSystem.symbolicLinkTarget(of: file)
            return LocalState(
                kind: .link, digest: try DigestLabel.symbolicLink.digest(of: target), size: 0,
                modified: modified)
        }
        let isOther = remote.map { $0.kind != .file || $0.size != attributes.size } ?? true
        let digest =
            isOther && !needsDigests
            ? nil
            : try knownDigest(pair.path, attributes) ?? LocalFileSource(file, fileSystem).digest("") { _ in }
        return LocalState(kind: .file, digest: digest, size: attributes.size, modified: modified)
    }
}
