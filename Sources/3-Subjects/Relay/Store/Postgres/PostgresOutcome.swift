import ValiseFailures
import ValisePostgres
import ValiseXFTPWire

/// What a function of ``PostgresRecordsSchema`` has decided, by the number that it gives.
enum PostgresOutcome: Int64 {
    case done = 0
    case blocked = 1
    case unknown = 2
    /// It was so before: the same call was heard already, or the body is here.
    case present = 3
    /// Another upload of the chunk was completed.
    case late = 4
    case noSpace = 5
    /// The reservation was given up.
    case overdue = 6
    case tooManyRecipients = 7

    /// - Parameter row: begins with the outcome, and what a blocked chunk says.
    /// - Throws: ``XFTPStoreError``: unknown, blocked; ``PostgresError`` for anything that no function gives.
    init(_ row: PostgresRow) throws {
        guard let outcome = try PostgresOutcome(rawValue: row.integer(0)) else {
            throw XFTPStoreError.damagedRecord
        }
        switch outcome {
        case .unknown: throw XFTPStoreError.unknownName
        case .blocked: throw XFTPStoreError.blocked(try BlockingInfo(ofRecord: row.textIfAny(1)))
        default: self = outcome
        }
    }

    /// - Parameter rows: of one function.
    init(_ rows: PostgresRows) throws {
        guard let row = rows.first else { throw XFTPStoreError.damagedRecord }
        try self.init(row)
    }
}

extension BlockingInfo {
    /// - Throws: ``XFTPStoreError``: `damaged`.
    init(ofRecord text: String?) throws {
        guard let text, let information = BlockingInfo(text: text) else { throw XFTPStoreError.damagedRecord }
        self = information
    }
}

extension XFTPStoreError {
    /// A row that this program would not have written.
    static var damagedRecord: XFTPStoreError {
        XFTPStoreError(.damaged, "a record in the database is damaged")
    }
}
