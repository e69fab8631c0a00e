import ValiseFailures
import ValisePostgres
import ValiseXFTPWire

extension PostgresRecords {
    package func reserve(
        _ chunk: StoredID, upload: UInt64, at now: Int64, until deadline: Int64
    ) throws -> BodyReservation? {
        var answer = try askForSpace(chunk, upload, until: deadline, deadBefore: nil)
        if case .noSpace = answer.outcome {
            answer = try askForSpace(chunk, upload, until: deadline, deadBefore: now)
        }
        switch answer.outcome {
        case .done: return answer.reservation
        case .present: return nil
        case .noSpace: throw XFTPStoreError.quotaReached(quota ?? .max)
        case .overdue: throw XFTPStoreError.lateUpload
        default: throw XFTPStoreError.damagedRecord
        }
    }

    /// - Parameter now: reservations whose deadline was before are ended first; nil for none of them.
    private func askForSpace(
        _ chunk: StoredID, _ upload: UInt64, until deadline: Int64, deadBefore now: Int64?
    ) throws -> (outcome: PostgresOutcome, reservation: BodyReservation?) {
        let rows = try runBriefly(
            "SELECT * FROM reserve($1, $2, $3, $4, $5)",
            [.id(chunk), .upload(upload), .integer(deadline), .integer(quota), .integer(now)])
        guard let row = rows.first else { throw XFTPStoreError.damagedRecord }
        let outcome = try PostgresOutcome(row)
        guard outcome == .done else { return (outcome, nil) }
        return (
            outcome,
            BodyReservation(
                chunk: chunk, upload: upload, name: BodyName(chunk: chunk, upload: upload),
                size: try row.number(2), digest: try row.bytes(3), deadline: try row.integer(4))
        )
    }

    package func complete(_ reservation: BodyReservation, _ body: any IncomingBody) throws -> Bool {
        try decide(reservation, body) {
            try standing(reservation)
        } onFirst: {
            do {
                try body.publish()
            } catch {
                // Else it is found after the deadline.
                if (try? body.cancel()) != nil { try? release(reservation) }
                throw error
            }
            // What comes of it in an outage nobody knows: it is left alone then.
            return try decide(reservation, body) {
                try PostgresOutcome(
                    run(
                        "SELECT * FROM complete($1, $2, $3)",
                        [.id(reservation.chunk), .upload(reservation.upload), Self.shard]))
            } onFirst: {
                true
            }
        }
    }

    /// Does what a reservation's standing asks for: the body is given up where nothing will ever come of it.
    private func decide(
        _ reservation: BodyReservation, _ body: any IncomingBody, _ standing: () throws -> PostgresOutcome,
        onFirst: () throws -> Bool
    ) throws -> Bool {
        let outcome: PostgresOutcome
        do {
            outcome = try standing()
        } catch let error as XFTPStoreError where error.code == .notFound || error.code == .denied {
            // Deleted or blocked meanwhile.
            try giveUp(body, reservation)
            throw error
        }
        switch outcome {
        case .done: return try onFirst()
        // The body is the chunk's.
        case .present: return false
        case .late:
            try giveUp(body, reservation)
            return false
        default:
            try giveUp(body, reservation)
            throw XFTPStoreError.lateUpload
        }
    }

    /// Where a reservation stands, without a lock: that is asked for once more when its body is published.
    private func standing(_ reservation: BodyReservation) throws -> PostgresOutcome {
        let rows = try run(
            """
            SELECT c.status, c.blocking, c.upload, EXISTS (
                SELECT FROM reservations r WHERE r.chunk = c.id AND r.upload = $2)
            FROM chunks c WHERE c.id = $1
            """, [.id(reservation.chunk), .upload(reservation.upload)])
        guard let row = rows.first else { throw XFTPStoreError.unknownName }
        try row.chunkStatus(0).checkActive()
        if let upload = try row.upload(2) { return upload == reservation.upload ? .present : .late }
        return try row.boolean(3) ? .done : .overdue
    }

    private func giveUp(_ body: any IncomingBody, _ reservation: BodyReservation) throws {
        try end(reservation, leaves: true)
        if (try? body.cancel()) != nil { try? forget([reservation.name]) }
    }

    package func release(_ reservation: BodyReservation) throws { try end(reservation, leaves: false) }

    /// - Parameter leaves: whether a body may be left, which is to be removed then.
    private func end(_ reservation: BodyReservation, leaves: Bool) throws {
        _ = try runBriefly(
            "SELECT release($1, $2, $3)",
            [.id(reservation.chunk), .upload(reservation.upload), .boolean(leaves)])
    }

    package func body(ofRecipient id: StoredID) throws -> StoredBody {
        let rows = try run(
            """
            SELECT c.id, c.status, c.blocking, c.upload, c.was_uploaded, c.size
            FROM names n JOIN chunks c ON c.id = n.chunk WHERE n.id = $1 AND n.ordinal > 0
            """, [.id(id)])
        guard let row = rows.first else { throw XFTPStoreError.unknownName }
        try row.chunkStatus(1).checkActive()
        guard let upload = try row.upload(3) else {
            throw try row.boolean(4) ? XFTPStoreError.unknownName : XFTPStoreError.noBody
        }
        return StoredBody(
            name: BodyName(chunk: try row.storedID(0), upload: upload), size: try row.number(5))
    }

    package func markMissing(_ body: StoredBody, unless isThere: () throws -> Bool) throws {
        guard try !isThere() else { return }
        _ = try runBriefly(
            "SELECT take_body($1, $2, $3)", [.id(body.name.chunk), .upload(body.name.upload), Self.shard])
    }
}
