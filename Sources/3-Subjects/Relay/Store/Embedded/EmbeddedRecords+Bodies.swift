import Synchronization
import ValiseXFTPWire

extension EmbeddedRecords {
    package func reserve(
        _ chunk: StoredID, upload: UInt64, at now: Int64, until deadline: Int64
    ) throws -> BodyReservation? {
        let sharesName = bytes.sharesNames
        return try state.withLock { state throws(XFTPStoreError) in
            guard !state.isClosed else { throw .closed }
            let slot = try Self.chunk(chunk, state.records)
            let record = state.records.chunks[slot]
            guard !record.isHere else { return nil }
            let known = state.reservations.deadline(chunk, upload: upload)
            let reservation = BodyReservation(
                chunk: chunk, upload: upload,
                name: BodyName(chunk: chunk, upload: sharesName ? 0 : upload), size: record.size,
                digest: state.records.digest(slot), deadline: known ?? deadline)
            if known != nil { return reservation }
            if let quota = settings.quota, !state.hasSpace(record.size, quota) {
                state.reservations.removeDead(at: now)
                guard state.hasSpace(record.size, quota) else { throw .quotaReached(quota) }
            }
            state.reservations.add(reservation, sharesName: sharesName)
            return reservation
        }
    }

    package func release(_ reservation: BodyReservation) throws {
        state.withLock { $0.reservations.remove(reservation) }
    }

    package func complete(_ reservation: BodyReservation, _ body: any IncomingBody) throws -> Bool {
        // Gives the space back unless it is used then.
        defer { state.withLock { $0.reservations.remove(reservation) } }
        return try change(reservation.chunk) {
            do {
                switch try state.withLock({ state throws(XFTPStoreError) in try state.standing(reservation) })
                {
                case .completed: return false
                case .late:
                    drop(body, reservation)
                    return false
                case .first: break
                }
                try body.publish()
                try commit([.uploaded(reservation.chunk, path: bytes.location(of: reservation.name))])
            } catch {
                // Nothing says that it is here. Where it cannot be removed, the next start does.
                drop(body, reservation)
                throw error
            }
            state.withLock { state in
                guard let slot = state.records.chunk(reservation.chunk) else { return }
                state.reservations.remove(reservation)
                state.records.markUploaded(slot, upload: reservation.name.upload)
                state.counters.filesUploaded += 1
            }
            return true
        }
    }

    private func drop(_ body: any IncomingBody, _ reservation: BodyReservation) {
        do {
            try body.cancel()
        } catch {
            guard !bytes.sharesNames else { return }
            state.withLock { $0.reservations.leave(reservation.name) }
        }
    }

    package func body(ofRecipient id: StoredID) throws -> StoredBody {
        try state.withLock { state throws(XFTPStoreError) in
            guard !state.isClosed else { throw .closed }
            return try state.records.body(ofRecipient: id)
        }
    }

    package func markMissing(_ body: StoredBody, unless isThere: () throws -> Bool) throws {
        try change(body.name.chunk) {
            guard try !isThere() else { return }
            state.withLock { state in
                guard let slot = state.records.chunk(body.name.chunk),
                    state.records.chunks[slot].body == body.name
                else { return }
                state.records.markMissing(slot)
            }
        }
    }
}

extension ChunkTables {
    /// The body for a recipient.
    /// - Throws: ``XFTPStoreError``: unknown, blocked, not uploaded.
    func body(ofRecipient id: StoredID) throws(XFTPStoreError) -> StoredBody {
        guard let slot = chunk(ofRecipient: id) else { throw .unknownName }
        let record = chunks[try EmbeddedRecords.chunk(chunks[slot].id, self)]
        guard record.flags.contains(.uploaded) else { throw .noBody }
        guard record.isHere else { throw .unknownName }
        return StoredBody(name: record.body, size: record.size)
    }
}

extension EmbeddedRecords.State {
    /// Where a reservation stands when its body is complete.
    fileprivate enum Standing {
        case first
        /// Another upload of the chunk was completed.
        case late
        /// This one was, and the chunk has its body.
        case completed
    }

    fileprivate func standing(_ reservation: BodyReservation) throws(XFTPStoreError) -> Standing {
        let record = records.chunks[try EmbeddedRecords.chunk(reservation.chunk, records)]
        let isReserved = reservations.contains(reservation)
        if record.isHere {
            return record.body == reservation.name && !isReserved ? .completed : .late
        }
        guard isReserved else { throw .lateUpload }
        return .first
    }

    /// Whether the quota has space for one more body of so many bytes.
    fileprivate func hasSpace(_ size: UInt32, _ quota: Int64) -> Bool {
        records.usedSpace + reservations.space + Int64(size) <= quota
    }
}
