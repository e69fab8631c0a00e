import Foundation
import Testing
import ValiseRepository
import ValiseSecrets
import ValiseStorage

import class ValiseRepository.Repository

/// Small repositories, and what is put into them.
enum RepositoryFixture {
    /// A folder as a test says it: paths with their contents.
    typealias Files = [String: [UInt8]]

    static let password = "ein Pässwort for fixtures"
    private static let day: Int64 = 86_400
    private static let start: Int64 = 1_700_000_000

    static func secret(_ text: String = password) throws -> SecretBytes {
        try SecretBytes(copying: Array(text.utf8))
    }

    /// The least that restic accepts is more than a test wants to wait for thousands of times.
    static func quick() throws -> ScryptParameters { try ScryptParameters(n: 16, r: 1, p: 1) }

    static func create(_ store: any BlobStore, version: Int = 2) throws -> Repository {
        try Repository.create(in: store, password: secret(), quick(), version: version)
    }

    /// Opens it and loads its index.
    static func open(_ store: any BlobStore) throws -> Repository {
        let repository = try Repository.open(store, password: secret())
        try repository.loadIndex(damaged: { throw $0 })
        return repository
    }

    /// Content of which a part compresses.
    static func bytes(_ count: Int, _ random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { $0 % 3 == 0 ? UInt8.random(in: 0...255, using: &random) : 7 }
    }

    // MARK: Backups

    /// Stores files, and a snapshot of them.
    ///
    /// - Parameters:
    ///   - day: when; the order of snapshots.
    ///   - piece: the size of blobs.
    @discardableResult
    static func backUp(
        _ files: Files, to repository: Repository, day: Int64 = 0, piece: Int = 4096,
        compresses: Bool = true
    ) throws -> ContentID {
        let writer = RepositoryWriter(repository)
        var data = try BlobSaver(writer, .data)
        var trees = try BlobSaver(writer, .tree)
        let tree = try store(files, piece, compresses, &data, &trees)
        try data.flush()
        try trees.flush()
        try writer.flushIndex()
        var record = SnapshotRecord(
            time: RecordTime(seconds: start + day * Self.day), tree: tree, paths: ["/account"])
        record.hostname = "host"
        return try repository.save(.snapshots, record.json)
    }

    private static func store(
        _ files: Files, _ piece: Int, _ compresses: Bool, _ data: inout BlobSaver, _ trees: inout BlobSaver
    ) throws -> ContentID {
        var nodes: [TreeNode] = []
        var folders: [String: Files] = [:]
        for (path, content) in files {
            if let slash = path.firstIndex(of: "/") {
                folders[String(path[..<slash]), default: [:]][String(path[path.index(after: slash)...])] =
                    content
                continue
            }
            var node = TreeNode(
                name: Array(path.utf8), .file, mode: FileMode(posix: 0o100600),
                modified: RecordTime(seconds: start))
            node.size = UInt64(content.count)
            node.content = try stride(from: 0, to: content.count, by: piece).map { place in
                try data.save(
                    Array(content[place..<min(place + piece, content.count)]), compresses: compresses)
            }
            nodes.append(node)
        }
        for (name, content) in folders {
            var node = TreeNode(
                name: Array(name.utf8), .folder, mode: FileMode(posix: 0o040700),
                modified: RecordTime(seconds: start))
            node.subtree = try store(content, piece, compresses, &data, &trees)
            nodes.append(node)
        }
        var encoder = TreeEncoder()
        for node in nodes.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            try encoder.append(node)
        }
        return try trees.save(encoder.finish())
    }

    /// All files of a snapshot.
    static func restore(_ snapshot: ContentID, from repository: Repository) throws -> Files {
        let record = try SnapshotRecord(repository.document(.snapshots, snapshot))
        return try files(record.tree, "", repository)
    }

    private static func files(
        _ tree: ContentID, _ prefix: String, _ repository: Repository
    ) throws -> Files {
        var found: Files = [:]
        for node in try Tree(repository.blob(tree, .tree)).nodes {
            let path = prefix + String(decoding: node.name, as: UTF8.self)
            if let content = node.content {
                found[path] = try content.flatMap { try repository.blob($0, .data) }
            }
            if let subtree = node.subtree {
                found.merge(try files(subtree, path + "/", repository)) { $1 }
            }
        }
        return found
    }

    // MARK: Locks

    /// Waits for nothing.
    static let hasty = StorageClock(sleep: { _ in })

    /// An exclusive lock, whoever held one before is dead.
    static func lock(_ repository: Repository, isExclusive: Bool = true) throws -> RepositoryLock {
        try RepositoryLock.take(
            repository, isExclusive: isExclusive,
            owner: LockOwner(hostname: "here", isRunning: { _ in false }),
            clock: hasty)
    }

    /// Does something under an exclusive lock.
    static func locked<Result>(
        _ store: any BlobStore, _ body: (Repository, RepositoryLock) throws -> Result
    ) throws -> Result {
        let repository = try open(store)
        let lock = try lock(repository)
        defer { lock.release() }
        return try body(repository, lock)
    }

    // MARK: Judging

    static func check(_ store: any BlobStore, reading share: ReadShare = .all) throws -> CheckReport {
        try RepositoryCheck(Repository.open(store, password: secret()), reading: share).run()
    }

    /// Expects that a repository has no error, and that snapshots restore.
    static func expectIntact(
        _ store: any BlobStore, _ snapshots: [ContentID: Files] = [:], _ what: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let report = try check(store)
        #expect(
            report.errors.isEmpty, "\(what): \(report.errors.map { "\($0.kind) \($0.message)" })",
            sourceLocation: sourceLocation)
        #expect(report.losses.isEmpty, "\(what)", sourceLocation: sourceLocation)
        let repository = try open(store)
        for (id, files) in snapshots {
            #expect(
                try restore(id, from: repository) == files, "\(what): \(id)", sourceLocation: sourceLocation)
        }
    }
}

/// A repository in memory with its snapshots.
struct StoredRepository {
    let store: MemoryStore
    var snapshots: [ContentID: RepositoryFixture.Files] = [:]
    /// In the order in which they were made.
    var order: [ContentID] = []

    init(version: Int = 2) throws {
        store = MemoryStore()
        _ = try RepositoryFixture.create(store, version: version)
    }

    /// Adds a snapshot by a run of its own, with packs and an index of its own.
    @discardableResult
    mutating func add(_ files: RepositoryFixture.Files, piece: Int = 4096) throws -> ContentID {
        let id = try RepositoryFixture.backUp(
            files, to: RepositoryFixture.open(store), day: Int64(order.count), piece: piece)
        snapshots[id] = files
        order.append(id)
        return id
    }

    /// Three snapshots that share a part of their content.
    static func sample(_ random: inout some RandomNumberGenerator) throws -> StoredRepository {
        var stored = try StoredRepository()
        var files: RepositoryFixture.Files = [
            "chat.db": RepositoryFixture.bytes(30_000, &random), "empty": [],
            "files/photo.jpg": RepositoryFixture.bytes(9000, &random),
            "files/deep/note": RepositoryFixture.bytes(10, &random),
        ]
        try stored.add(files)
        files["chat.db"]?.replaceSubrange(8192..<8200, with: RepositoryFixture.bytes(8, &random))
        try stored.add(files)
        files["files/photo.jpg"] = nil
        files["files/other"] = RepositoryFixture.bytes(5000, &random)
        try stored.add(files)
        return stored
    }

    /// Removes snapshots, as if they had been forgotten.
    mutating func forget(_ ids: ContentID...) throws {
        for id in ids {
            try store.remove(.file(.snapshots, id))
            snapshots[id] = nil
            order.removeAll { $0 == id }
        }
    }

    func names(_ kind: StoredKind) throws -> [ContentID] { try store.list(kind).map(\.id) }

    /// Changes a file where it is, as a disk does.
    func damage(_ name: StoredName, _ change: (inout [UInt8]) -> Void) throws {
        var content = try store.get(name)
        change(&content)
        try store.remove(name)
        try store.put(name, content)
    }
}
