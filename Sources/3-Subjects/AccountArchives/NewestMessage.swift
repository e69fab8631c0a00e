import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

/// When the newest item of a chat database was made.
///
/// Found by the largest identifiers: the time itself has no index. Rows that were deleted leave no trace, so that an
/// archive that has more may be the older one all the same; what only the place has is always lost.
enum NewestMessage {
    /// - Throws: ``DatabaseError`` where a database has no such tables.
    static func compare(
        previous: borrowing Connection, new: borrowing Connection
    ) throws(DatabaseError) -> ImportAge.Verdict {
        let (place, archive) = (try Marks(previous), try Marks(new))
        let pairs = zip(place.last, archive.last)
        let (placeAhead, archiveAhead) = (pairs.contains { $0 > $1 }, pairs.contains { $0 < $1 })
        if place.time > archive.time { return .older }
        if place.time < archive.time { return placeAhead ? .unknown : .newer }
        switch (placeAhead, archiveAhead) {
        case (true, true): return .unknown
        case (true, false): return .older
        case (false, true): return .newer
        case (false, false): return .same
        }
    }

    /// Whether nobody has a profile there yet: then there is nothing to lose.
    /// - Throws: ``DatabaseError`` where there is no such table.
    static func isUnused(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
        try ChatSchema(connection).hasNoUsers(connection)
    }

    private struct Marks {
        private(set) var time = UTCTime(seconds: 0)
        /// The largest identifiers of the tables that grow by use; none is smaller than 1.
        private(set) var last: [Int64] = []

        init(_ connection: borrowing Connection) throws(DatabaseError) {
            for row in try ChatSchema(connection).newestRows(connection) {
                guard let row else {
                    last.append(0)
                    continue
                }
                last.append(row.id)
                if let made = UTCTime(row.createdAt) { time = max(time, made) }
            }
        }
    }
}
