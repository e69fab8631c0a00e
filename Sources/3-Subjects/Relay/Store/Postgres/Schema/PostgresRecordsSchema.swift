import ValiseDatabase

/// The tables and functions of ``PostgresRecords``.
///
/// A call that decides something is a function of the database: each of its statements sees what was committed before it, also after it
/// has waited for a lock, and all of them are one round trip. Functions belong to the schema, so they change with a migration.
///
/// ## Locks
///
/// Every function takes what it changes in one order: chunks by their names, then reservations by their deadlines, then counters, then
/// the row of the space, which all uploads want and which is therefore held for the shortest time.
enum PostgresRecordsSchema {
    /// Each with its way back.
    static let migrations = [
        Migration(
            name: "0001_records", up: (tables + names + bodies + removal + counting).joined(separator: "\n"),
            down: removingAll)
    ]

    /// How many rows the counters are spread over, so that those who change them at the same moment seldom wait for each other.
    static let shardCount: Int64 = 32

    private static let removingAll = """
        DROP FUNCTION add_recipients, acknowledge, reserve, complete, release, take_body, remove_chunk,
            remove_dead, expire_batch, note_downloads;
        DROP TABLE names, chunks, reservations, tombstones, space, counters, days;
        """
}
