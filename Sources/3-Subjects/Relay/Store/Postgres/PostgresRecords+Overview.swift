import ValisePostgres
import ValiseXFTPWire

extension PostgresRecords {
    /// Names that are read at a time: a chunk with many recipients comes in parts.
    private static let pageSize = 1000

    private static let columns = """
        n.chunk, n.ordinal, n.id, n.kind, n.key, c.status, c.blocking, c.size, c.digest, c.hour, c.upload
        """

    /// The limit is part of the text, and where chunks begin is said twice: so a page costs the same wherever it begins.
    private static let page = """
        SELECT \(columns) FROM (
            SELECT * FROM names WHERE (chunk, ordinal) > ($1, $2) ORDER BY chunk, ordinal LIMIT \(pageSize)
        ) n JOIN chunks c ON c.id = n.chunk AND c.id >= $1 ORDER BY n.chunk, n.ordinal
        """

    package func forEach(after id: StoredID?, _ visit: (ListedChunk) throws -> Bool) throws {
        var last = (chunk: id ?? .first, ordinal: id == nil ? -1 : Int64.max)
        var current: ListedChunk?
        while true {
            let rows = try run(Self.page, [.id(last.chunk), .integer(last.ordinal)])
            for row in rows {
                last = (try row.storedID(0), try row.integer(1))
                if last.ordinal > 0 {
                    // Without its sender's row a chunk was removed between two pages, and may have come anew.
                    guard current?.chunk.id == last.chunk else { continue }
                    current?.recipients.append(try row.listedRecipient())
                    continue
                }
                if let current, try !visit(current) { return }
                current = try row.listedChunk()
            }
            if rows.count < Self.pageSize { break }
        }
        if let current { _ = try visit(current) }
    }

    /// All of one chunk; nil for an unknown one.
    func listed(_ id: StoredID) throws -> ListedChunk? {
        let rows = try run(
            """
            SELECT \(Self.columns) FROM names n JOIN chunks c ON c.id = n.chunk
            WHERE n.chunk = $1 ORDER BY n.ordinal
            """, [.id(id)])
        guard var listed = try rows.first?.listedChunk() else { return nil }
        listed.recipients = try rows.dropFirst().map { try $0.listedRecipient() }
        return listed
    }

    package func usage() throws -> StoreUsage {
        let row = try run(
            """
            SELECT sum(chunks)::bigint, sum(uploaded)::bigint, sum(recipients)::bigint,
                (SELECT total FROM space), (SELECT coalesce(sum(size), 0)::bigint FROM reservations)
            FROM counters
            """)[0]
        let (total, reserved) = (try row.integer(3), try row.integer(4))
        return StoreUsage(
            chunks: try row.number(0), uploaded: try row.number(1), recipients: try row.number(2),
            usedSpace: total - reserved, reservedSpace: reserved, quota: quota)
    }
}

extension PostgresRow {
    /// Of a sender's row, without recipients.
    fileprivate func listedChunk() throws -> ListedChunk {
        let chunk = NewStoredChunk(
            id: try storedID(0), key: try publicKey(3), size: try number(7), digest: try bytes(8),
            hour: try number(9), status: try chunkStatus(5))
        let body = try upload(10).map {
            StoredBody(name: BodyName(chunk: chunk.id, upload: $0), size: chunk.size)
        }
        return ListedChunk(chunk: chunk, recipients: [], body: body)
    }

    fileprivate func listedRecipient() throws -> NewStoredRecipient {
        NewStoredRecipient(id: try storedID(2), key: try publicKey(3))
    }
}
