package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseCryptography
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets
package import ValiseSessionStore

/// The search index of an account: a file of our own, below the user's state and not beside the account, whose key comes from
/// that of the account (Documentation/formats/search-index.md).
package struct SearchIndex: Sendable {
    /// What a search did with it.
    package enum State: Sendable, Equatable {
        /// It was up to date.
        case current
        /// It was brought up to date.
        case updated
        /// There was none.
        case made
        /// What was there could not be used: it has another key, is damaged, or of another version.
        case replaced
    }

    private let path: FilePath
    private let database: IndexedDatabase
    private let key: SharedSecret
    private let fileSystem: FileSystem

    /// Begins the derivation of its key, so that nobody uses the account's own.
    private static let label = "valise.search-index.1"

    /// - Parameters:
    ///   - folder: of all indexes; made where it is missing.
    ///   - database: as it was before it was opened.
    ///   - reader: of the account.
    ///   - passphrase: of the account; empty for an unencrypted one, whose index is not encrypted either.
    ///   - fileSystem: where the index is.
    /// - Throws: `FileError`; `SecretsError`; errors of the account.
    package init(
        in folder: FilePath, of database: IndexedDatabase, _ reader: AccountReader,
        passphrase: borrowing SecretBytes, fileSystem: FileSystem = FileSystem()
    ) throws {
        let key = try AccountFileKey.derived(reader, passphrase, label: Self.label)
        try self.init(in: folder, of: database, key: key, fileSystem)
    }

    /// The same for a store of Session.
    /// - Parameters:
    ///   - folder: of all indexes; made where it is missing.
    ///   - database: as it was before it was opened.
    ///   - session: the store.
    ///   - fileSystem: where the index is.
    /// - Throws: `FileError`; `SecretsError`; errors of the store.
    package init(
        in folder: FilePath, of database: IndexedDatabase, _ session: SessionSnapshot,
        fileSystem: FileSystem = FileSystem()
    ) throws {
        try self.init(in: folder, of: database, key: session.derivedKey(label: Self.label), fileSystem)
    }

    private init(
        in folder: FilePath, of database: IndexedDatabase, key: SharedSecret, _ fileSystem: FileSystem
    ) throws {
        self.database = database
        self.key = key
        self.fileSystem = fileSystem
        path = Self.path(in: folder, of: database)
        try fileSystem.makeDirectories(folder)
    }

    /// Each account has one, whatever its passphrase is.
    private static func path(in folder: FilePath, of database: IndexedDatabase) -> FilePath {
        folder.appending("\(database.identifier).db")
    }

    // MARK: Searching

    /// The rows of all items whose texts may match, and of those that cannot be read, in their order. The index is made or brought
    /// up to date before.
    ///
    /// - Parameters:
    ///   - query: what is searched.
    ///   - workers: how many threads read the account.
    ///   - open: prepares for a reading of all texts; asked only where the account may have changed.
    ///   - progress: throw to stop; the index is as it was then.
    /// - Throws: `DatabaseError`; `FileError`; whatever `progress` throws.
    package func rows(
        matching query: TextQuery, workers: Int = ParallelBatches.workers,
        _ open: () throws -> TextRowsOpener, progress: ProgressHandler
    ) throws -> (rows: [Int64], state: State) {
        let isThere = try fileSystem.exists(path)
        do {
            return try found(query, workers, open, progress)
        } catch let error as DatabaseError where isThere && isUnusable(error) {
            try Self.remove(path, fileSystem)
            return (try found(query, workers, open, progress).rows, .replaced)
        }
    }

    /// Whether an error says that the index itself can never be used.
    private func isUnusable(_ error: DatabaseError) -> Bool {
        error.file == path.string
            && (error.isNotADatabase || [.damaged, .unsupported, .wrongPassphrase].contains(error.code))
    }

    private func found(
        _ query: TextQuery, _ workers: Int, _ open: () throws -> TextRowsOpener, _ progress: ProgressHandler
    ) throws -> (rows: [Int64], state: State) {
        let index = try TextIndex(path, key: key.bytes, fileSystem: fileSystem)
        let mark = try index.mark()
        var state = State.current
        if mark == nil || mark != database.mark {
            let update = SearchIndexUpdate(try open(), workers) { [path, key, fileSystem] in
                try TextIndex(path, key: key.bytes, fileSystem: fileSystem)
            }
            try update.run(on: index, mark: database.mark ?? "", progress)
            state = mark == nil ? .made : .updated
        }
        let look = { try progress(OperationProgress("searching", unit: .items)) }
        return (try index.rows(containing: query.wanted, look: look), state)
    }

    // MARK: Removing

    /// Whether a database has an index.
    /// - Throws: `FileError`.
    package static func isThere(
        in folder: FilePath, of database: IndexedDatabase, fileSystem: FileSystem = FileSystem()
    ) throws -> Bool {
        try fileSystem.exists(path(in: folder, of: database))
    }

    /// Removes the index of a database.
    /// - Returns: whether there was one.
    /// - Throws: `FileError`.
    package static func remove(
        in folder: FilePath, of database: IndexedDatabase, fileSystem: FileSystem = FileSystem()
    ) throws -> Bool {
        try remove(path(in: folder, of: database), fileSystem)
    }

    @discardableResult private static func remove(_ path: FilePath, _ fileSystem: FileSystem) throws -> Bool {
        // The database goes first: its journal alone is of no use.
        let isThere = try fileSystem.exists(path)
        for file in [path] + DatabaseFile.sideSuffixes.map({ path.appendingSuffix($0) })
        where try fileSystem.exists(file) {
            try fileSystem.remove(file)
        }
        return isThere
    }
}
