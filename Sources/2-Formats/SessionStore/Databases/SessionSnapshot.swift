import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// One state of a store whose key was proved. It stays as it is, and each thread opens it for itself.
package struct SessionSnapshot: Sendable {
    /// Of the database, without a log.
    private let database: any ByteSource
    private let key: SessionDatabaseKey
    private let making: @Sendable (any ByteSource) throws -> any SessionStore

    /// - Parameters:
    ///   - database: without a log.
    ///   - key: which opens it.
    ///   - making: opens the store on a source of the database.
    init(
        _ database: any ByteSource, key: SessionDatabaseKey,
        making: @escaping @Sendable (any ByteSource) throws -> any SessionStore
    ) {
        self.database = database
        self.key = key
        self.making = making
    }

    /// Of the database, in bytes.
    package var databaseSize: Int64 { database.size }

    /// Opens the store, for one thread.
    /// - Throws: ``SessionStoreError``: `damaged`, `newer`, `unsupported`; errors of the source.
    package func open() throws -> any SessionStore {
        try SessionStoreError.mapping { try making(database) }
    }

    /// Verifies the HMAC of each page.
    ///
    /// - Parameter progress: gets the bytes checked so far; throw to stop.
    /// - Returns: what is wrong, a sentence each, at most a hundred; empty for nothing.
    /// - Throws: ``SessionStoreError`` where it cannot be opened at all; errors of the source; whatever `progress` throws.
    package func verifyPages(progress: (Int64) throws -> Void) throws -> [String] {
        try SessionStoreError.mapping {
            _ = try key.connect(database)
            // The pages of a backup can only be had in their order at little cost.
            return try key.pageProblems(
                of: database, most: Self.mostProblems, workers: 1, progress: progress)
        }
    }

    /// Walks through all tables and indexes.
    ///
    /// - Parameter look: called some hundred times a second; throw to stop.
    /// - Returns: as of ``verifyPages(progress:)``. A page that cannot be read is a problem.
    /// - Throws: as ``verifyPages(progress:)``; whatever `look` throws.
    package func verifyTables(by look: () throws -> Void) throws -> [String] {
        try SessionStoreError.mapping {
            let connection = try key.connect(database)
            do {
                let rows = try connection.supervised(by: look) {
                    try connection.rows("PRAGMA integrity_check(\(Self.mostProblems))")
                }
                return rows.compactMap { $0.first?.text }.filter { $0 != "ok" }
            } catch let error as DatabaseError {
                guard error.sourceFailure == nil, error.code == .damaged else { throw error }
                return [error.message]
            }
        }
    }

    private static let mostProblems = 100
}
