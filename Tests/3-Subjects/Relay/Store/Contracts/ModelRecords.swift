import Synchronization
import ValiseXFTPWire

@testable import ValiseRelay

/// The database of ``ModelRecords``: tables, transactions, one lock, and outages.
final class ModelDatabase: Sendable {
    struct Chunk {
        var announced: NewStoredChunk
        /// The first that came first.
        var recipients: [NewStoredRecipient]
        var body: BodyName?
        var wasUploaded = false
        var lastDownload: UInt16 = 0
    }

    struct Tables {
        var chunks: [StoredID: Chunk] = [:]
        var recipients: [StoredID: StoredID] = [:]
        var reservations: [BodyName: BodyReservation] = [:]
        /// Names of bodies that are to be removed.
        var tombstones: Set<BodyName> = []
        var usedSpace: Int64 = 0
        var reservedSpace: Int64 = 0
        var counters = StoreCounters(from: RecordsUnderTest.now)
    }

    let quota: Int64?
    private let tables = Mutex(Tables())
    let isSweeping = Mutex(false)
    private let currentReach = Mutex(MemoryBytes.Reach.there)

    init(quota: Int64?) { self.quota = quota }

    var reach: MemoryBytes.Reach {
        get { currentReach.withLock { $0 } }
        set { currentReach.withLock { $0 = newValue } }
    }

    /// Changes all or nothing.
    func transaction<Result: Sendable>(_ body: (inout Tables) throws -> Result) throws -> Result {
        let reach = reach
        guard reach != .gone else { throw Self.outage }
        let result = try tables.withLock { tables in
            var changed = tables
            let result = try body(&changed)
            tables = changed
            return result
        }
        guard reach != .silent else { throw Self.outage }
        return result
    }

    static var outage: XFTPStoreError { .unavailable("no answer from the database", subject: "memory") }
}

/// Records as a database would have them, for several processes: nothing is kept beside the database, each upload has a name of its
/// own, and names of bodies that are to be removed are kept until they are. With it the tests see that the contracts leave space
/// for that, and that the tests of the contracts do.
final class ModelRecords: ChunkRecords {
    private let database: ModelDatabase
    private let isClosed = Atomic(false)

    init(_ database: ModelDatabase) { self.database = database }

    private func transaction<Result: Sendable>(
        _ body: (inout ModelDatabase.Tables) throws -> Result
    ) throws -> Result {
        guard !isClosed.load(ordering: .acquiring) else { throw XFTPStoreError.closed }
        return try database.transaction(body)
    }

    func close() throws { isClosed.store(true, ordering: .releasing) }

    // MARK: Names

    func create(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) throws {
        try transaction { tables in
            if let known = tables.chunks[chunk.id], known.announced == chunk, known.recipients == recipients {
                return
            }
            try tables.checkFree([chunk.id] + recipients.map(\.id))
            tables.chunks[chunk.id] = .init(announced: chunk, recipients: recipients)
            for recipient in recipients { tables.recipients[recipient.id] = chunk.id }
            tables.counters.filesCreated += 1
            tables.counters.fileRecipients += recipients.count
        }
    }

    func addRecipients(_ recipients: [NewStoredRecipient], to chunk: StoredID) throws {
        try transaction { tables in
            let known = try tables.active(chunk)
            if recipients.allSatisfy(known.recipients.contains) { return }
            try tables.checkFree(recipients.map(\.id))
            tables.chunks[chunk]?.recipients += recipients
            for recipient in recipients { tables.recipients[recipient.id] = chunk }
            tables.counters.fileRecipients += recipients.count
        }
    }

    func acknowledge(_ recipient: StoredID) throws {
        try transaction { tables in
            guard let chunk = tables.recipients[recipient] else { throw XFTPStoreError.unknownName }
            _ = try tables.active(chunk)
            tables.recipients[recipient] = nil
            tables.chunks[chunk]?.recipients.removeAll { $0.id == recipient }
            tables.counters.fileDownloadAcknowledgements += 1
        }
    }

    func sender(_ id: StoredID) throws -> StoredEntity? {
        try transaction { tables in tables.chunks[id].flatMap { $0.entity($0.announced.key) } }
    }

    func recipient(_ id: StoredID) throws -> StoredEntity? {
        try transaction { tables in
            guard let chunk = tables.recipients[id].flatMap({ tables.chunks[$0] }),
                let recipient = chunk.recipients.first(where: { $0.id == id })
            else { return nil }
            return chunk.entity(recipient.key)
        }
    }

    func chunk(ofRecipient id: StoredID) throws -> StoredID? { try transaction { $0.recipients[id] } }

    // MARK: Bodies

    func reserve(
        _ chunk: StoredID, upload: UInt64, at now: Int64, until deadline: Int64
    ) throws -> BodyReservation? {
        let quota = database.quota
        return try transaction { tables in
            let known = try tables.active(chunk)
            guard known.body == nil else { return nil }
            let name = BodyName(chunk: chunk, upload: upload)
            if let reservation = tables.reservations[name] { return reservation }
            let size = Int64(known.announced.size)
            if let quota, tables.usedSpace + tables.reservedSpace + size > quota {
                tables.removeDead(at: now)
                guard tables.usedSpace + tables.reservedSpace + size <= quota else {
                    throw XFTPStoreError.quotaReached(quota)
                }
            }
            let reservation = BodyReservation(
                chunk: chunk, upload: upload, name: name, size: known.announced.size,
                digest: known.announced.digest, deadline: deadline)
            tables.reservations[name] = reservation
            tables.reservedSpace += size
            return reservation
        }
    }

    func complete(_ reservation: BodyReservation, _ body: any IncomingBody) throws -> Bool {
        let standing = try transaction { tables in tables.standing(reservation) }
        guard case .first = standing else { return try give(up: body, reservation, standing) }
        do {
            try body.publish()
        } catch {
            // Else it is found after the deadline.
            if (try? body.cancel()) != nil { try? release(reservation) }
            throw error
        }
        // What comes of it in an outage nobody knows: it is left alone then.
        let verdict = try transaction { tables in tables.complete(reservation) }
        if case .first = verdict { return true }
        return try give(up: body, reservation, verdict)
    }

    private func give(
        up body: any IncomingBody, _ reservation: BodyReservation, _ standing: ModelDatabase.Standing
    ) throws -> Bool {
        // The body is the chunk's.
        if case .completed = standing { return false }
        try transaction { tables in
            tables.removeReservation(reservation.name)
            tables.tombstones.insert(reservation.name)
        }
        if (try? body.cancel()) != nil { try? forget(reservation.name) }
        guard case .refused(let error) = standing else { return false }
        throw error
    }

    func release(_ reservation: BodyReservation) throws {
        try transaction { $0.removeReservation(reservation.name) }
    }

    func body(ofRecipient id: StoredID) throws -> StoredBody {
        try transaction { tables in
            guard let chunk = tables.recipients[id] else { throw XFTPStoreError.unknownName }
            let known = try tables.active(chunk)
            guard known.wasUploaded else { throw XFTPStoreError.noBody }
            guard let body = known.body else { throw XFTPStoreError.unknownName }
            return StoredBody(name: body, size: known.announced.size)
        }
    }

    func markMissing(_ body: StoredBody, unless isThere: () throws -> Bool) throws {
        guard try !isThere() else { return }
        try transaction { tables in
            guard tables.chunks[body.name.chunk]?.body == body.name else { return }
            tables.takeBody(of: body.name.chunk)
        }
    }

    // MARK: Removal

    func remove(
        _ target: RemovalTarget, as removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws {
        let name = try transaction { tables in
            let id: StoredID
            switch target {
            case .bySender(let sender):
                _ = try tables.active(sender)
                id = sender
            case .byOperator(let recipient):
                guard let chunk = tables.recipients[recipient] else { throw XFTPStoreError.unknownName }
                id = chunk
            }
            let name = tables.takeBody(of: id)
            switch removal {
            case .deleted:
                tables.removeChunk(id)
                tables.counters.filesDeleted += 1
            case .blocked(let information):
                tables.chunks[id]?.announced.status = .blocked(information)
                tables.counters.filesBlocked += 1
            }
            return name
        }
        // From here on it is removed, whatever happens: who sweeps tries again.
        if let name, (try? removeBody(name)) != nil { try? forget(name) }
    }

    private func forget(_ name: BodyName) throws { try transaction { _ = $0.tombstones.remove(name) } }

    func expire(before time: Int64, at now: Int64, _ removeBody: (BodyName) throws -> Void) throws -> Int {
        let (count, names) = try transaction { tables in
            let expired = tables.chunks.values.map(\.announced)
                .filter { Int64($0.hour) * 3600 + 3600 < time }
            for chunk in expired {
                tables.takeBody(of: chunk.id)
                tables.removeChunk(chunk.id)
            }
            tables.counters.filesExpired += expired.count
            tables.removeDead(at: now)
            return (expired.count, tables.tombstones)
        }
        var failure: (any Error)?
        for name in names {
            do {
                try removeBody(name)
                try forget(name)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }

    func whileSweeping(_ sweep: () throws -> Void) throws -> Bool {
        let isElected = database.isSweeping.withLock { isSweeping in
            defer { isSweeping = true }
            return !isSweeping
        }
        guard isElected else { return false }
        defer { database.isSweeping.withLock { $0 = false } }
        try sweep()
        return true
    }

    // MARK: Overview

    func forEach(after id: StoredID?, _ visit: (ListedChunk) throws -> Bool) throws {
        let listed = try transaction { tables in
            tables.chunks.values.map { chunk in
                ListedChunk(
                    chunk: chunk.announced, recipients: chunk.recipients,
                    body: chunk.body.map { StoredBody(name: $0, size: chunk.announced.size) })
            }
        }
        for chunk in listed.sorted(by: { $0.chunk.id < $1.chunk.id })
        where id.map({ $0 < chunk.chunk.id }) ?? true {
            guard try visit(chunk) else { return }
        }
    }

    func usage() throws -> StoreUsage {
        let quota = database.quota
        return try transaction { tables in
            StoreUsage(
                chunks: tables.chunks.count, uploaded: tables.chunks.values.count { $0.body != nil },
                recipients: tables.recipients.count, usedSpace: tables.usedSpace,
                reservedSpace: tables.reservedSpace, quota: quota)
        }
    }

    func noteDownload(of chunk: StoredID, at now: Int64) throws {
        let day = UInt16(clamping: now / 86_400)
        try transaction { tables in
            guard let known = tables.chunks[chunk] else { return }
            tables.counters.noteDownload(previous: known.lastDownload, day: day)
            tables.chunks[chunk]?.lastDownload = day
        }
    }

    func statistics() throws -> StoreStatistics {
        try transaction { tables in
            tables.counters.statistics(
                count: tables.chunks.values.count { $0.body != nil }, size: tables.usedSpace)
        }
    }

    func endDay(at now: Int64) throws -> String? {
        try transaction { tables in
            tables.counters.rollOver(
                now: now, count: tables.chunks.values.count { $0.body != nil }, size: tables.usedSpace)
        }
    }
}

extension ModelDatabase.Chunk {
    func entity(_ key: PublicKey) -> StoredEntity? {
        let blocked: BlockingInfo?
        switch announced.status {
        case .off: return nil
        case .active: blocked = nil
        case .blocked(let information): blocked = information
        }
        return StoredEntity(
            key: key, blocked: blocked, size: announced.size, digest: announced.digest,
            isUploaded: body != nil)
    }
}

extension ModelDatabase.Tables {
    func checkFree(_ ids: [StoredID]) throws {
        guard Set(ids).count == ids.count,
            ids.allSatisfy({ chunks[$0] == nil && recipients[$0] == nil })
        else { throw XFTPStoreError.takenName }
    }

    func active(_ id: StoredID) throws -> ModelDatabase.Chunk {
        guard let chunk = chunks[id] else { throw XFTPStoreError.unknownName }
        switch chunk.announced.status {
        case .active: return chunk
        case .off: throw XFTPStoreError.unknownName
        case .blocked(let information): throw XFTPStoreError.blocked(information)
        }
    }

    mutating func removeReservation(_ name: BodyName) {
        guard let reservation = reservations.removeValue(forKey: name) else { return }
        reservedSpace -= Int64(reservation.size)
    }

    mutating func removeDead(at now: Int64) {
        for (name, reservation) in reservations where reservation.deadline < now {
            removeReservation(name)
            tombstones.insert(name)
        }
    }

    /// From now on it is to be removed.
    @discardableResult
    mutating func takeBody(of id: StoredID) -> BodyName? {
        guard let chunk = chunks[id], let name = chunk.body else { return nil }
        chunks[id]?.body = nil
        usedSpace -= Int64(chunk.announced.size)
        tombstones.insert(name)
        return name
    }

    mutating func removeChunk(_ id: StoredID) {
        for recipient in chunks[id]?.recipients ?? [] { recipients[recipient.id] = nil }
        chunks[id] = nil
    }
}

extension ModelDatabase {
    /// Where a reservation stands when its body is complete.
    enum Standing: Sendable {
        case first
        /// Another upload of the chunk was completed.
        case late
        /// This one was.
        case completed
        case refused(XFTPStoreError)
    }
}

extension ModelDatabase.Tables {
    func standing(_ reservation: BodyReservation) -> ModelDatabase.Standing {
        do {
            let chunk = try active(reservation.chunk)
            guard chunk.body == nil else { return chunk.body == reservation.name ? .completed : .late }
            return reservations[reservation.name] == nil ? .refused(.lateUpload) : .first
        } catch {
            return .refused(XFTPStoreError(error))
        }
    }

    mutating func complete(_ reservation: BodyReservation) -> ModelDatabase.Standing {
        let standing = standing(reservation)
        guard case .first = standing else { return standing }
        removeReservation(reservation.name)
        chunks[reservation.chunk]?.body = reservation.name
        chunks[reservation.chunk]?.wasUploaded = true
        usedSpace += Int64(reservation.size)
        counters.filesUploaded += 1
        return standing
    }
}
