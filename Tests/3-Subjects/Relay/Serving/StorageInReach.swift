import Synchronization
import ValiseFailures
import ValiseRelay

/// Whether a database and a storage server answer.
final class StorageInReach: Sendable {
    struct State: Sendable {
        var records = true
        /// Bodies that are open included.
        var bytes = true
        /// Nothing wrong with the network: what is read is.
        var isDamaged = false
    }

    private let state = Mutex(State())

    var current: State {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    static var outage: XFTPStoreError { .unavailable("no answer from the test's server") }

    func records<Result>(_ body: () throws -> Result) throws -> Result {
        guard current.records else { throw Self.outage }
        return try body()
    }

    func bytes<Result>(_ body: () throws -> Result) throws -> Result {
        guard current.bytes else { throw Self.outage }
        return try body()
    }
}

/// Records that are out of reach now and then.
struct RecordsInReach: ChunkRecords {
    let records: any ChunkRecords
    let reach: StorageInReach

    func create(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) throws {
        try reach.records { try records.create(chunk, recipients) }
    }

    func addRecipients(_ recipients: [NewStoredRecipient], to chunk: StoredID) throws {
        try reach.records { try records.addRecipients(recipients, to: chunk) }
    }

    func acknowledge(_ recipient: StoredID) throws {
        try reach.records { try records.acknowledge(recipient) }
    }

    func sender(_ id: StoredID) throws -> StoredEntity? { try reach.records { try records.sender(id) } }

    func recipient(_ id: StoredID) throws -> StoredEntity? {
        try reach.records { try records.recipient(id) }
    }

    func chunk(ofRecipient id: StoredID) throws -> StoredID? {
        try reach.records { try records.chunk(ofRecipient: id) }
    }

    func reserve(
        _ chunk: StoredID, upload: UInt64, at now: Int64, until deadline: Int64
    ) throws -> BodyReservation? {
        try reach.records { try records.reserve(chunk, upload: upload, at: now, until: deadline) }
    }

    func complete(_ reservation: BodyReservation, _ body: any IncomingBody) throws -> Bool {
        try reach.records { try records.complete(reservation, body) }
    }

    func release(_ reservation: BodyReservation) throws {
        try reach.records { try records.release(reservation) }
    }

    func body(ofRecipient id: StoredID) throws -> StoredBody {
        try reach.records { try records.body(ofRecipient: id) }
    }

    func markMissing(_ body: StoredBody, unless isThere: () throws -> Bool) throws {
        try reach.records { try records.markMissing(body, unless: isThere) }
    }

    func remove(
        _ target: RemovalTarget, as removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws {
        try reach.records { try records.remove(target, as: removal, removeBody) }
    }

    func expire(before time: Int64, at now: Int64, _ removeBody: (BodyName) throws -> Void) throws -> Int {
        try reach.records { try records.expire(before: time, at: now, removeBody) }
    }

    func whileSweeping(_ sweep: () throws -> Void) throws -> Bool {
        try reach.records { try records.whileSweeping(sweep) }
    }

    func forEach(after id: StoredID?, _ visit: (ListedChunk) throws -> Bool) throws {
        try reach.records { try records.forEach(after: id, visit) }
    }

    func usage() throws -> StoreUsage { try reach.records { try records.usage() } }

    func noteDownload(of chunk: StoredID, at now: Int64) throws {
        try reach.records { try records.noteDownload(of: chunk, at: now) }
    }

    func statistics() throws -> StoreStatistics { try reach.records { try records.statistics() } }

    func endDay(at now: Int64) throws -> String? { try reach.records { try records.endDay(at: now) } }

    func close() throws { try records.close() }
}

/// Bytes that are out of reach now and then.
struct BytesInReach: ChunkBytes {
    let bytes: any ChunkBytes
    let reach: StorageInReach

    var sharesNames: Bool { bytes.sharesNames }

    func location(of name: BodyName) -> String { bytes.location(of: name) }

    func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody {
        try reach.bytes {
            IncomingInReach(body: try bytes.begin(name, size: size, digest: digest), reach: reach)
        }
    }

    func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)? {
        try reach.bytes {
            try bytes.open(name, size: size).map { OpenInReach(body: $0, reach: reach) }
        }
    }

    func remove(_ name: BodyName) throws { try reach.bytes { try bytes.remove(name) } }

    func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws {
        try reach.bytes { try bytes.list(after: name, visit) }
    }
}

private final class IncomingInReach: IncomingBody {
    private let body: any IncomingBody
    private let reach: StorageInReach

    init(body: any IncomingBody, reach: StorageInReach) {
        self.body = body
        self.reach = reach
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try reach.bytes { try body.write(bytes) } }
    func finish() throws { try reach.bytes { try body.finish() } }
    func publish() throws { try reach.bytes { try body.publish() } }
    func cancel() throws { try body.cancel() }
}

private final class OpenInReach: OpenBody {
    private let body: any OpenBody
    private let reach: StorageInReach

    init(body: any OpenBody, reach: StorageInReach) {
        self.body = body
        self.reach = reach
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        if reach.current.isDamaged { throw XFTPStoreError(.damaged, "the test's disk is damaged") }
        try reach.bytes { try body.fill(buffer, at: offset) }
    }

    func close() { body.close() }
}
