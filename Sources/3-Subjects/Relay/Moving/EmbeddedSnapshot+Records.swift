import ValiseFailures

extension EmbeddedSnapshot {
    // MARK: Looking

    package func sender(_ id: StoredID) throws -> StoredEntity? {
        try reading { records in
            records.chunk(id).flatMap { StoredEntity(records, $0, records.senderKey($0)) }
        }
    }

    package func recipient(_ id: StoredID) throws -> StoredEntity? {
        try reading { records in
            records.recipients.find(id).flatMap {
                StoredEntity(records, records.recipients[$0].chunk, records.recipientKey($0))
            }
        }
    }

    package func chunk(ofRecipient id: StoredID) throws -> StoredID? {
        try reading { records in records.chunk(ofRecipient: id).map { records.chunks[$0].id } }
    }

    package func body(ofRecipient id: StoredID) throws -> StoredBody {
        try reading { try $0.body(ofRecipient: id) }
    }

    package func forEach(after id: StoredID?, _ visit: (ListedChunk) throws -> Bool) throws {
        // Of one moment, which shares its memory with what comes later until that is changed.
        let records = try reading { $0 }
        try records.ids(after: id).forEachInOrder { id in
            try records.chunk(id).map { try visit(records.listed($0)) } ?? true
        }
    }

    package func usage() throws -> StoreUsage {
        try reading { records in
            StoreUsage(
                chunks: records.chunks.count, uploaded: records.uploadedCount,
                recipients: records.recipients.count, usedSpace: records.usedSpace, reservedSpace: 0,
                quota: nil)
        }
    }

    /// Counters are in the process that runs, which is asked for them.
    package func statistics() throws -> StoreStatistics { throw Self.readOnly }

    package func close() {}

    /// A log has no line for that: whoever starts with it finds by itself what is missing.
    package func markMissing(_ body: StoredBody, unless isThere: () throws -> Bool) throws {
        _ = try isThere()
    }

    // MARK: Changing

    private static var readOnly: XFTPStoreError {
        XFTPStoreError(.denied, "these records are read-only. Nothing was changed.")
    }

    package func create(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) throws {
        throw Self.readOnly
    }

    package func addRecipients(_ recipients: [NewStoredRecipient], to chunk: StoredID) throws {
        throw Self.readOnly
    }

    package func acknowledge(_ recipient: StoredID) throws { throw Self.readOnly }

    package func reserve(
        _ chunk: StoredID, upload: UInt64, at now: Int64, until deadline: Int64
    ) throws -> BodyReservation? {
        throw Self.readOnly
    }

    package func complete(_ reservation: BodyReservation, _ body: any IncomingBody) throws -> Bool {
        throw Self.readOnly
    }

    package func release(_ reservation: BodyReservation) throws { throw Self.readOnly }

    package func remove(
        _ target: RemovalTarget, as removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws {
        throw Self.readOnly
    }

    package func expire(
        before time: Int64, at now: Int64, _ removeBody: (BodyName) throws -> Void
    ) throws -> Int {
        throw Self.readOnly
    }

    package func whileSweeping(_ sweep: () throws -> Void) throws -> Bool { throw Self.readOnly }

    package func noteDownload(of chunk: StoredID, at now: Int64) throws { throw Self.readOnly }

    package func endDay(at now: Int64) throws -> String? { throw Self.readOnly }
}
