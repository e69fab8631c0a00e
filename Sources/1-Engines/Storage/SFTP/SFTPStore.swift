import Synchronization
import ValiseConcurrency
import ValiseFailures

/// A store on an SFTP server, in restic's layout, over one connection that all threads share.
///
/// Source: the repository format of restic, sections "Layout" and "Storage back ends" of the fact sheet. A file is written under
/// a temporary name in its folder and renamed, so that it is complete under its own name or not there. A request whose connection
/// is lost is made once more over a new one.
///
/// The connection is ended with the store, which waits some seconds for that.
package final class SFTPStore: BlobStore {
    package let location: String
    let root: SFTPLocation
    let sessions: SFTPSessions
    private let listers: Int
    let mostNames: Int

    /// - Parameters:
    ///   - location: where the repository is.
    ///   - command: leads to the server; nil for the system's ssh.
    ///   - patience: how long the server may be silent although it was asked.
    ///   - mostNames: a folder with more names is not listed.
    ///   - checkpoint: is asked before each request and often while it is waited; throw to stop.
    package init(
        _ location: SFTPLocation, command: SFTPCommand? = nil, patience: Duration = .seconds(300),
        mostNames: Int = 4_000_000, checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        root = location
        self.location = location.text
        self.mostNames = mostNames
        // There are 256 folders of packs, and the way to the server takes most of the time of each.
        listers = 16
        sessions = SFTPSessions(
            command ?? SFTPCommand(ssh: location), location: location.text, patience: patience,
            checkpoint: checkpoint)
    }

    deinit { sessions.close() }

    // MARK: Reading

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        let path = path(of: name)
        return try attempt("read", path) { connection in
            let size = try size(of: path, connection)
            let range = range ?? 0..<size
            guard range.lowerBound >= 0, range.upperBound <= size else {
                throw StorageError(.general, .damaged, "file is shorter than expected", subject(path))
            }
            let length = range.upperBound - range.lowerBound
            guard length <= SFTPConnection.mostBytesAtOnce, let count = Int(exactly: length) else {
                throw StorageError(
                    .general, .unsupported, "file is too large to be read at once", subject(path))
            }
            if count == 0 { return [] }
            let bytes = try connection.bytes(of: path, at: range.lowerBound, count: count)
            guard bytes.count == count else {
                throw StorageError(.general, .damaged, "file shrank while being read", subject(path))
            }
            return bytes
        }
    }

    package func size(of name: StoredName) throws -> Int64 {
        let path = path(of: name)
        return try attempt("read", path) { try size(of: path, $0) }
    }

    /// The size of what is a file. One that would be opened without looking could be a pipe, which the server waits for.
    private func size(of path: String, _ connection: SFTPConnection) throws -> Int64 {
        guard let found = try connection.attributes(of: path) else {
            throw StorageError(.general, .notFound, "no such file on the server", subject(path))
        }
        return try size(found, path, connection)
    }

    /// - Throws: ``StorageError``: `unsupported` for anything but a file.
    func size(_ found: SFTPAttributes, _ path: String, _ connection: SFTPConnection) throws -> Int64 {
        switch found.kind {
        case .file, nil: break
        case .folder: throw StorageError(.general, .unsupported, "is a folder, not a file", subject(path))
        case .link:
            throw StorageError(
                .general, .unsupported, "is a symbolic link instead of a file of the repository",
                subject(path))
        case .special: throw StorageError(.general, .unsupported, "not a regular file", subject(path))
        }
        guard let size = found.size else {
            throw connection.giveUp(.invalidAnswer("does not say how large a file is"))
        }
        return size
    }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        let folder = root.path(of: kind.rawValue)
        guard kind == .data else {
            for (id, size) in try files(of: folder) { try body(id, size) }
            return
        }
        let digits = try packFolders(folder)
        let found = Mutex([String: [ContentID: Int64]]())
        try ParallelBatches.run(
            count: digits.count, workers: listers, makeWorker: {},
            work: { _, number in
                let files = try files(of: "\(folder)/\(digits[number])", with: digits[number])
                found.withLock { $0[digits[number]] = files }
            })
        let all = found.withLock { $0 }
        for name in digits {
            for (id, size) in all[name, default: [:]] { try body(id, size) }
        }
    }

    /// The folders of packs that are there, in their order.
    private func packFolders(_ folder: String) throws -> [String] {
        let known = Set(FolderStore.packFolderDigits)
        var digits: Set<String> = []
        try names(in: folder) { name, _, _ in
            if known.contains(name) { digits.insert(name) }
        }
        return digits.sorted()
    }

    /// - Parameter digits: what the names begin with.
    private func files(of folder: String, with digits: String = "") throws -> [ContentID: Int64] {
        var files: [ContentID: Int64] = [:]
        try names(in: folder) { name, attributes, connection in
            guard let id = ContentID(text: name), name.hasPrefix(digits) else { return }
            let path = "\(folder)/\(name)"
            // Some servers give no sizes with names.
            let isComplete = attributes.size != nil && attributes.kind != nil
            guard let found = try isComplete ? attributes : connection.attributes(of: path) else { return }
            files[id] = try size(found, path, connection)
        }
        return files
    }

    /// The names in a folder. A folder that is not there has none, unless the repository's own is not there either: then a disk
    /// is not mounted, rather than a repository empty.
    private func names(
        in folder: String, _ body: (String, SFTPAttributes, SFTPConnection) throws -> Void
    ) throws {
        try attempt("list", folder) { connection in
            do {
                try connection.forEachName(in: folder, most: mostNames) { entry in
                    // Names that are not UTF-8 are none of ours.
                    if let name = entry.name { try body(name, entry.attributes, connection) }
                }
            } catch let status as SFTPStatus where status.isMissing {
                try checkRepository(connection)
            }
        }
    }

    // MARK: Removing

    package func remove(_ name: StoredName) throws {
        let path = path(of: name)
        try attempt("remove", path) { connection in
            do {
                try connection.finish(connection.send(.remove(path)))
            } catch let status as SFTPStatus where status.isMissing {
                return try checkRepository(connection)
            } catch let status as SFTPStatus where status.isUnexplained {
                // Some servers say so of what is missing.
                guard try connection.attributes(of: path) != nil else {
                    return try checkRepository(connection)
                }
                throw status
            }
            switch name {
            // If one of these comes back after a power cut, it is removed again.
            case .file(.data, _), .file(.locks, _): break
            // Packs are removed once the indexes that name them are gone for good.
            case .config, .file: try connection.flushNames(in: folder(of: name))
            }
        }
    }

    // MARK: Common

    func path(of name: StoredName) -> String { root.path(of: name.description) }

    /// The folder that a file is in.
    func folder(of name: StoredName) -> String {
        switch name {
        case .config: root.path
        case .file(.data, let id): root.path(of: "data/\(id.text.prefix(2))")
        case .file(let kind, _): root.path(of: kind.rawValue)
        }
    }

    /// How messages name something on the server.
    func subject(_ path: String) -> String {
        guard path.count > root.path.count, path.hasPrefix(root.path) else { return location }
        return
            "\(location)\(location.hasSuffix("/") ? "" : "/")\(path.dropFirst(root.path.count).drop { $0 == "/" })"
    }

    /// - Throws: ``StorageError``: `notFound` where the folder of the repository is missing.
    func checkRepository(_ connection: SFTPConnection) throws {
        guard let found = try connection.attributes(of: root.path, following: true) else {
            throw StorageError(.general, .notFound, "no such folder on the server", location)
        }
        guard found.kind == .folder || found.kind == nil else {
            throw StorageError(.general, .unsupported, "not a folder", location)
        }
    }

    /// Does something over a connection, once more over a new one where it was lost, and translates what a server says.
    func attempt<Value>(
        _ verb: String, _ path: String, _ body: (SFTPConnection) throws -> Value
    ) throws -> Value {
        do {
            return try sessions.with(body)
        } catch let status as SFTPStatus {
            throw status.failure(cannot: verb, subject(path))
        }
    }
}
