import Synchronization
import ValisePostgres
import ValiseXFTPWire

/// A chunk goes first, and its body's name becomes a tombstone in the same transaction; when the body has gone, the tombstone goes.
extension PostgresRecords {
    /// Chunks, reservations or bodies of one step of a sweep.
    private static let batchSize: Int64 = 500

    package func remove(
        _ target: RemovalTarget, as removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws {
        let names: [PostgresParameter]
        switch target {
        case .bySender(let id):
            // Of what is counted a little later.
            if downloads.contains(id) { try countDownloads() }
            names = [.id(id), .bytes(nil)]
        case .byOperator(let recipient): names = [.bytes(nil), .id(recipient)]
        }
        let blocking: String?
        switch removal {
        case .deleted: blocking = nil
        case .blocked(let information): blocking = information.text
        }
        let rows = try runBriefly(
            "SELECT * FROM remove_chunk($1, $2, $3, $4)", names + [.text(blocking), Self.shard])
        guard let row = rows.first else { throw XFTPStoreError.damagedRecord }
        _ = try PostgresOutcome(row)
        guard let upload = try row.upload(3) else { return }
        // From here on it is removed, whatever happens: who sweeps tries again.
        let name = BodyName(chunk: try row.storedID(2), upload: upload)
        if (try? removeBody(name)) != nil { try? forget([name]) }
    }

    /// Removes tombstones of bodies that have gone. One that comes back in a crash is of a body that is removed once more.
    func forget(_ names: [BodyName]) throws {
        if names.isEmpty { return }
        try runLoosely(
            """
            DELETE FROM tombstones t USING unnest($1, $2) AS gone (chunk, upload)
            WHERE t.chunk = gone.chunk AND t.upload = gone.upload
            """, [.ids(names.map(\.chunk)), .integers(names.map { Int64(bitPattern: $0.upload) })])
    }

    // MARK: Sweeping

    package func expire(
        before time: Int64, at now: Int64, _ removeBody: (BodyName) throws -> Void
    ) throws -> Int {
        try countDownloads()
        // An hour is over when the next one begins before the time.
        let firstYoungHour = (time + 3599) / 3600 - 1
        var count = 0
        while true {
            try checkElection()
            let row = try runBriefly(
                "SELECT * FROM expire_batch($1, $2, $3)",
                [.integer(firstYoungHour), .integer(Self.batchSize), Self.shard])[0]
            count += try row.number(1)
            if try row.integer(0) == 0 { break }
        }
        while try endReservations(before: now) { try checkElection() }
        try removeBodies(removeBody)
        return count
    }

    /// - Returns: whether there were any whose deadline had passed.
    private func endReservations(before now: Int64) throws -> Bool {
        let rows = try runBriefly("SELECT remove_dead($1, $2)", [.integer(now), .integer(Self.batchSize)])
        return try rows[0].integer(0) > 0
    }

    /// Removes all bodies that have tombstones.
    /// - Throws: the first failure, when all others were tried.
    private func removeBodies(_ removeBody: (BodyName) throws -> Void) throws {
        var failure: (any Error)?
        var last = BodyName(chunk: .first, upload: 0)
        while true {
            try checkElection()
            let page = try tombstones(after: last)
            guard let end = page.last else { break }
            last = end
            // Who removed a chunk may have committed and not flushed: it must not be back without its body.
            try waitForFlush()
            var gone: [BodyName] = []
            for name in page {
                do {
                    try removeBody(name)
                    gone.append(name)
                } catch {
                    failure = failure ?? error
                }
            }
            try forget(gone)
        }
        if let failure { throw failure }
    }

    /// In the order of the chunks' names, and of the uploads' numbers as the database has them.
    private func tombstones(after last: BodyName) throws -> [BodyName] {
        let rows = try run(
            """
            SELECT chunk, upload FROM tombstones WHERE (chunk, upload) > ($1, $2)
            ORDER BY chunk, upload LIMIT \(Self.batchSize)
            """, [.id(last.chunk), .upload(last.upload)])
        return try rows.map { row in
            guard let upload = try row.upload(1) else { throw XFTPStoreError.damagedRecord }
            return BodyName(chunk: try row.storedID(0), upload: upload)
        }
    }

    /// The lock is one of a session of its own. It ends with the server, and with the process.
    package func whileSweeping(_ sweep: () throws -> Void) throws -> Bool {
        guard !isSweeping.exchange(true, ordering: .acquiring) else { return false }
        defer { isSweeping.store(false, ordering: .releasing) }
        let lock = PostgresLock("sweeper of \(pool.settings.schema)")
        guard let elected = try connection(with: lock) else { return false }
        defer {
            election.withLock { $0 = nil }
            // Said before the end of the connection, which the server notices when it gets round to it.
            _ = try? elected.release(lock)
            elected.close()
        }
        election.withLock { $0 = elected }
        try sweep()
        return true
    }

    /// A connection beside those of the pool, all of which the sweep may want.
    /// - Returns: nil where another one has the lock.
    private func connection(with lock: PostgresLock) throws -> PostgresConnection? {
        try checkOpen()
        do {
            let connection = try PostgresConnection(pool.settings)
            return try connection.tryTaking(lock) ? connection : nil
        } catch {
            throw Self.failure(error)
        }
    }

    /// Others may be elected when the connection with the lock is gone.
    /// - Throws: ``XFTPStoreError``, unavailable.
    private func checkElection() throws {
        do {
            try election.withLock { try $0?.lookAlive() }
        } catch {
            throw Self.failure(error)
        }
    }
}

extension StoredID {
    /// Before all others.
    static let first = StoredID(repeatElement(0, count: byteCount))!
}
