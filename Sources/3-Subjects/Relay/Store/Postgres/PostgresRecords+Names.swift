import ValiseFailures
import ValisePostgres
import ValiseXFTPWire

extension PostgresRecords {
    package func create(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) throws {
        let names = [(id: chunk.id, key: chunk.key)] + recipients.map { (id: $0.id, key: $0.key) }
        let count = Int64(recipients.count)
        do {
            _ = try run([
                PostgresStatement(
                    "INSERT INTO chunks (id, size, digest, hour, status, blocking) VALUES ($1, $2, $3, $4, $5, $6)",
                    [
                        .id(chunk.id), .integer(Int64(chunk.size)), .bytes(chunk.digest),
                        .integer(Int64(chunk.hour)),
                    ]
                        + chunk.status.parameters),
                PostgresStatement(
                    """
                    INSERT INTO names (id, chunk, ordinal, kind, key)
                    SELECT given.id, $1, given.place - 1, given.kind, given.key
                    FROM unnest($2, $3, $4) WITH ORDINALITY AS given (id, kind, key, place)
                    """, [.id(chunk.id)] + PostgresParameter.names(names)),
                PostgresStatement(
                    """
                    UPDATE counters SET chunks = chunks + 1, recipients = recipients + $1,
                        files_created = files_created + 1, file_recipients = file_recipients + $1
                    WHERE shard = $2
                    """, [.integer(count), Self.shard]),
            ])
        } catch is PostgresError {
            try settle {
                guard let known = try listed(chunk.id), known.chunk == chunk else { return false }
                return Set(known.recipients).isSuperset(of: recipients)
            }
        }
    }

    package func addRecipients(_ recipients: [NewStoredRecipient], to chunk: StoredID) throws {
        do {
            let rows = try run(
                "SELECT * FROM add_recipients($1, $2, $3, $4, $5, $6)",
                [.id(chunk)] + PostgresParameter.names(recipients.map { (id: $0.id, key: $0.key) })
                    + [.integer(mostRecipients), Self.shard])
            guard try PostgresOutcome(rows) != .tooManyRecipients else {
                throw XFTPStoreError(
                    .noSpace, "a chunk can have at most \(mostRecipients) recipients. Nothing was changed.",
                    answer: .quota)
            }
        } catch is PostgresError {
            try settle {
                Set(try listed(chunk)?.recipients ?? []).isSuperset(of: recipients)
            }
        }
    }

    /// A name that is taken may have been taken by the same call before.
    private func settle(_ isSame: () throws -> Bool) throws {
        guard try isSame() else { throw XFTPStoreError.takenName }
    }

    package func acknowledge(_ recipient: StoredID) throws {
        _ = try PostgresOutcome(run("SELECT * FROM acknowledge($1, $2)", [.id(recipient), Self.shard]))
    }

    // MARK: Looking

    package func sender(_ id: StoredID) throws -> StoredEntity? { try entity(id, isSender: true) }

    package func recipient(_ id: StoredID) throws -> StoredEntity? { try entity(id, isSender: false) }

    private func entity(_ id: StoredID, isSender: Bool) throws -> StoredEntity? {
        let rows = try run(
            """
            SELECT n.kind, n.key, c.status, c.blocking, c.size, c.digest, c.upload IS NOT NULL
            FROM names n JOIN chunks c ON c.id = n.chunk WHERE n.id = $1 AND (n.ordinal = 0) = $2
            """, [.id(id), .boolean(isSender)])
        guard let row = rows.first else { return nil }
        let blocked: BlockingInfo?
        switch try row.chunkStatus(2) {
        case .off: return nil
        case .active: blocked = nil
        case .blocked(let information): blocked = information
        }
        return StoredEntity(
            key: try row.publicKey(0), blocked: blocked, size: try row.number(4), digest: try row.bytes(5),
            isUploaded: try row.boolean(6))
    }

    package func chunk(ofRecipient id: StoredID) throws -> StoredID? {
        try run("SELECT chunk FROM names WHERE id = $1 AND ordinal > 0", [.id(id)]).first?.storedID(0)
    }
}
