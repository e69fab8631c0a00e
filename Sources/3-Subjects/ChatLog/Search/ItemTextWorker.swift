import ValiseChatSchema
package import ValiseDatabase

/// Opens the chat database once more: each thread that looks at texts has a connection of its own.
package typealias ChatConnections = @Sendable () throws -> Connection

/// The texts of an account.
package final class ItemTextWorker: TextRows {
    private let connection: Connection
    /// Nil where the schema has no items.
    private let texts: ItemTexts?

    /// - Throws: `DatabaseError`; whatever `open` throws.
    package init(_ open: ChatConnections) throws {
        connection = try open()
        texts = try ItemTexts(ChatSchema(connection), connection)
    }

    package func rows() throws -> ClosedRange<Int64>? { try texts?.rows(connection) }

    /// Those with a file whose own row breaks the schema.
    package func damagedRows() throws -> [Int64] { try texts?.rowsWithDamagedFiles(connection) ?? [] }

    package func forEach(
        in rows: ClosedRange<Int64>, _ body: (Int64, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        try unsafe texts?.forEach(in: rows, connection, body)
    }
}

/// Rows in parts of about the same length, for several threads.
struct RowParts: Sendable {
    private let rows: ClosedRange<Int64>
    let count: Int

    init(_ rows: ClosedRange<Int64>, _ count: Int) {
        self.rows = rows
        self.count = count
    }

    /// How many there are from the first to the last, whether they exist or not.
    var length: Int64 { rows.upperBound.subtractingReportingOverflow(rows.lowerBound).partialValue &+ 1 }

    subscript(_ part: Int) -> ClosedRange<Int64>? {
        let whole = UInt64(bitPattern: rows.upperBound &- rows.lowerBound)
        let step = whole / UInt64(count) + 1
        let (offset, isBehind) = step.multipliedReportingOverflow(by: UInt64(part))
        guard !isBehind, offset <= whole else { return nil }
        let last = min(whole, offset.addingReportingOverflow(step - 1).overflow ? whole : offset + step - 1)
        return rows.lowerBound &+ Int64(bitPattern: offset)...rows.lowerBound &+ Int64(bitPattern: last)
    }
}
