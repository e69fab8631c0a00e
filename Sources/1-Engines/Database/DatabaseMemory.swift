import CValiseSQLCipher

/// The memory of SQLite in this process.
package enum DatabaseMemory {
    /// Makes SQLite fail with `SQLITE_NOMEM` rather than take more, so that nobody's schema fills the memory. It holds for
    /// all connections, until it is set again.
    /// - Parameter bytes: 0 for no limit.
    package static func limit(to bytes: Int64) {
        sqlite3_hard_heap_limit64(bytes)
    }
}
