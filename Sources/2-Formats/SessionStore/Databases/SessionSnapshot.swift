import ValiseDatabase
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// One state of a store whose key was proved. It stays as it is, and each thread opens it for itself.
package struct SessionSnapshot: Sendable {
    private let database: SessionDatabase
    private let making: @Sendable (SessionDatabase) throws -> any SessionStore

    /// - Parameters:
    ///   - database: without a log.
    ///   - making: opens the store on it.
    init(
        _ database: SessionDatabase, making: @escaping @Sendable (SessionDatabase) throws -> any SessionStore
    ) {
        self.database = database
        self.making = making
    }

    /// Of the database, in bytes.
    package var databaseSize: Int64 { database.source.size }

    /// The same state for who reads all of it: the HMACs of all pages are verified once, many at a time, and no longer whenever one
    /// is read.
    ///
    /// - Parameter progress: gets the bytes checked so far; throw to stop.
    /// - Throws: ``SessionStoreError``: `damaged`, `failed`; errors of the source; whatever `progress` throws. A page whose HMAC does
    ///   not hold is no error yet: what is read may lie elsewhere.
    package func verified(progress: (Int64) throws -> Void) throws -> SessionSnapshot {
        SessionSnapshot(try database.verified(progress: progress), making: making)
    }

    /// The key of a file of our own that belongs to the store, such as its search index. Nobody who has it learns that of the store.
    ///
    /// - Parameter label: another one for each kind of file.
    /// - Returns: 32 bytes.
    /// - Throws: `SecretsError`; errors of the source.
    package func derivedKey(label: String) throws -> SharedSecret { try database.derivedKey(label: label) }

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
            _ = try database.connect()
            return try database.pageProblems(most: Self.mostProblems, progress: progress)
        }
    }

    /// Walks through all tables and indexes.
    ///
    /// - Parameter look: called some hundred times a second; throw to stop.
    /// - Returns: as of ``verifyPages(progress:)``. A page that cannot be read is a problem.
    /// - Throws: as ``verifyPages(progress:)``; whatever `look` throws.
    package func verifyTables(by look: () throws -> Void) throws -> [String] {
        try SessionStoreError.mapping {
            let connection = try database.connect()
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
