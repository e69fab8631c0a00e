import Synchronization
import ValiseXFTPWire

/// Bodies go before the lines that say so: a full disk has space for the line then. A crash in between leaves a chunk
/// without its body, whose removal was not acknowledged.
extension EmbeddedRecords {
    /// Chunks that are removed under one lock.
    private static let batchSize = 256
    /// Records that are looked at under one lock.
    private static let sliceSize: UInt32 = 16_384

    package func remove(
        _ target: RemovalTarget, as removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws {
        switch target {
        case .bySender(let id):
            try change(id) {
                _ = try state.withLock { try Self.chunk(id, $0.records) }
                try removeLocked(id, removal, removeBody)
            }
        case .byOperator(let recipient):
            try changeChunk(ofRecipient: recipient) { try removeLocked($0, removal, removeBody) }
        }
    }

    private func removeLocked(
        _ id: StoredID, _ removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws {
        if let name = bodyName(id) { try removeBody(name) }
        switch removal {
        case .deleted:
            try commitRemoval([id], [.deleted(id)])
            state.withLock { state in
                guard let slot = state.records.chunk(id) else { return }
                state.records.remove(slot)
                state.counters.filesDeleted += 1
            }
        case .blocked(let information):
            try commitRemoval([id], [.blocked(id, information)])
            state.withLock { state in
                guard let slot = state.records.chunk(id) else { return }
                state.records.block(slot, information)
                state.counters.filesBlocked += 1
            }
        }
    }

    /// What a body of a chunk may have for a name: under one that all uploads share there may be one of which the log says nothing.
    private func bodyName(_ id: StoredID) -> BodyName? {
        state.withLock { state in
            state.records.chunk(id).flatMap { slot in
                let record = state.records.chunks[slot]
                return bytes.sharesNames || record.flags.contains(.uploaded) ? record.body : nil
            }
        }
    }

    /// Says in the log what became of chunks whose bodies are removed already. Where that fails the chunks are without
    /// bodies: whoever uploads one again must not be told that it is here.
    private func commitRemoval(_ ids: [StoredID], _ lines: [StoreLogLine]) throws {
        do {
            try commit(lines)
        } catch {
            state.withLock { state in
                for id in ids {
                    if let slot = state.records.chunk(id) { state.records.markMissing(slot) }
                }
            }
            throw error
        }
    }

    package func expire(
        before time: Int64, at now: Int64, _ removeBody: (BodyName) throws -> Void
    ) throws -> Int {
        var (count, start) = (0, UInt32(0))
        var failure: XFTPStoreError?
        while let (expired, next) = expired(from: start, before: time) {
            start = next
            for (stripe, ids) in Dictionary(grouping: expired, by: stripes.index(of:)) {
                for first in stride(from: 0, to: ids.count, by: Self.batchSize) {
                    let batch = ids[first..<min(first + Self.batchSize, ids.count)]
                    do {
                        count += try stripes.withLock(at: stripe) {
                            try expireLocked(batch, removeBody, &failure)
                        }
                    } catch {
                        failure = failure ?? XFTPStoreError(error)
                    }
                }
            }
        }
        removeLeftovers(now, removeBody, &failure)
        if let failure { throw failure }
        return count
    }

    /// What uploads left that came to nothing.
    private func removeLeftovers(
        _ now: Int64, _ removeBody: (BodyName) throws -> Void, _ failure: inout XFTPStoreError?
    ) {
        let leftovers = state.withLock { state in
            state.reservations.removeDead(at: now)
            return state.reservations.takeLeftovers()
        }
        for name in leftovers {
            do {
                try removeBody(name)
            } catch {
                failure = failure ?? XFTPStoreError(error)
                state.withLock { $0.reservations.leave(name) }
            }
        }
    }

    package func whileSweeping(_ sweep: () throws -> Void) throws -> Bool {
        guard !isSweeping.exchange(true, ordering: .acquiring) else { return false }
        defer { isSweeping.store(false, ordering: .releasing) }
        try sweep()
        return true
    }

    /// - Returns: what has expired of a slice of the records, and where the next one begins; nil at the end.
    private func expired(
        from start: UInt32, before time: Int64
    ) -> (expired: [StoredID], next: UInt32)? {
        state.withLock { state in
            let end = state.records.chunks.end
            guard start < end, !state.isClosed else { return nil }
            let next = min(end, start + Self.sliceSize)
            var expired: [StoredID] = []
            for slot in start..<next {
                let record = state.records.chunks[slot]
                if !record.isVacant, Int64(record.hour) * 3600 + 3600 < time { expired.append(record.id) }
            }
            return (expired, next)
        }
    }

    private func expireLocked(
        _ batch: ArraySlice<StoredID>, _ removeBody: (BodyName) throws -> Void,
        _ failure: inout XFTPStoreError?
    ) throws -> Int {
        let present = state.withLock { state in
            state.isClosed ? [] : batch.filter { state.records.chunk($0) != nil }
        }
        var removed: [StoredID] = []
        for id in present {
            do {
                if let name = bodyName(id) { try removeBody(name) }
                removed.append(id)
            } catch {
                failure = failure ?? XFTPStoreError(error)
            }
        }
        guard !removed.isEmpty else { return 0 }
        try commitRemoval(removed, removed.map { .deleted($0) })
        state.withLock { state in
            for id in removed {
                if let slot = state.records.chunk(id) { state.records.remove(slot) }
            }
            state.counters.filesExpired += removed.count
        }
        return removed.count
    }
}
