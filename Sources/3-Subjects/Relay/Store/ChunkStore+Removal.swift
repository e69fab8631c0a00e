import Synchronization
package import ValiseXFTPWire

/// Bodies go before the lines that say so: a full disk has space for the line then. A crash in between leaves a chunk
/// without its body, whose removal was not acknowledged.
extension ChunkStore {
    /// Chunks that are removed under one lock.
    private static let batchSize = 256
    /// Records that are looked at under one lock.
    private static let sliceSize: UInt32 = 16_384

    /// Removes a chunk with all its names (`FDEL`).
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, `BLOCKED`, `FILE_IO`; delete again then.
    package func delete(_ sender: EntityID) throws {
        guard let id = StoredID(sender) else { throw XFTPStoreError.unknownName }
        try change(id) {
            _ = try state.withLock { try Self.chunk(id, $0.records) }
            try deleteLocked(id)
        }
    }

    /// Removes the chunk of a recipient, for the operator; a blocked one too.
    /// - Throws: ``XFTPStoreError``: `notFound`; failures of the disk.
    package func deleteByRecipient(_ recipient: EntityID) throws {
        guard let id = StoredID(recipient) else { throw XFTPStoreError.unknownName }
        try changeChunk(ofRecipient: id) { try deleteLocked($0) }
    }

    private func deleteLocked(_ id: StoredID) throws {
        try folder.remove(id)
        try commitRemoval([id], [.deleted(id)])
        state.withLock { state in
            guard let slot = state.records.chunk(id) else { return }
            state.records.remove(slot)
            state.counters.filesDeleted += 1
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

    /// Removes the body of a recipient's chunk, for the operator. Every command for the chunk gets this answer from now
    /// on.
    /// - Throws: ``XFTPStoreError``: `notFound`; failures of the disk.
    package func block(_ recipient: EntityID, _ information: BlockingInfo) throws {
        guard let id = StoredID(recipient) else { throw XFTPStoreError.unknownName }
        try changeChunk(ofRecipient: id) { sender in
            try folder.remove(sender)
            try commitRemoval([sender], [.blocked(sender, information)])
            state.withLock { state in
                guard let slot = state.records.chunk(sender) else { return }
                state.records.block(slot, information)
                state.counters.filesBlocked += 1
            }
        }
    }

    /// Removes what is older than the lifetime, a batch at a time: others go on meanwhile.
    ///
    /// - Returns: how many chunks were removed.
    /// - Throws: ``XFTPStoreError``, the first failure, when all others were tried. What is left is tried the next time.
    package func expire() throws -> Int {
        var (count, start) = (0, UInt32(0))
        var failure: XFTPStoreError?
        while let (expired, next) = expired(from: start) {
            start = next
            for (stripe, ids) in Dictionary(grouping: expired, by: stripes.index(of:)) {
                for first in stride(from: 0, to: ids.count, by: Self.batchSize) {
                    let batch = ids[first..<min(first + Self.batchSize, ids.count)]
                    do {
                        count += try stripes.withLock(at: stripe) { try expireLocked(batch, &failure) }
                    } catch {
                        failure = failure ?? XFTPStoreError(error)
                    }
                }
            }
        }
        if let failure { throw failure }
        return count
    }

    /// - Returns: what has expired of a slice of the records, and where the next one begins; nil at the end.
    private func expired(from start: UInt32) -> (expired: [StoredID], next: UInt32)? {
        let oldest = settings.clock() - settings.lifetime
        return state.withLock { state in
            let end = state.records.chunks.end
            guard start < end, !state.isClosed else { return nil }
            let next = min(end, start + Self.sliceSize)
            var expired: [StoredID] = []
            for slot in start..<next {
                let record = state.records.chunks[slot]
                if !record.isVacant, Int64(record.hour) * 3600 + 3600 < oldest { expired.append(record.id) }
            }
            return (expired, next)
        }
    }

    private func expireLocked(
        _ batch: ArraySlice<StoredID>, _ failure: inout XFTPStoreError?
    ) throws -> Int {
        let present = state.withLock { state in
            state.isClosed ? [] : batch.filter { state.records.chunk($0) != nil }
        }
        var removed: [StoredID] = []
        for id in present {
            do {
                try folder.remove(id)
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
