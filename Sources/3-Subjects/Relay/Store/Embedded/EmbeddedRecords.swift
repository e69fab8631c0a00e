import Synchronization
import ValiseFailures
package import ValiseFiles
import ValiseXFTPWire

/// Records in the memory of one process, with the text log of the official relay, or without one. The default.
///
/// What was acknowledged survives a crash, a power cut and a full disk: lines of the log are durable before a call returns, and
/// all who wait at the same moment share one flush. Without a log every restart forgets all chunks.
///
/// Bodies come before the lines that say so, and go before the lines that say so: a full disk has space for the line then. A
/// crash in between leaves a body without its line, or a chunk without its body; neither was acknowledged, and the next start
/// finds both.
///
/// The quota counts what is really uploaded, and what is coming in. The official relay counts at its start every
/// chunk that was ever announced, uploaded or not.
package final class EmbeddedRecords: ChunkRecords {
    struct State: ~Copyable {
        var records: ChunkTables
        var reservations = Reservations()
        var counters: StoreCounters
        var compactionPause = CompactionPause()
        var isClosed = false
    }

    let settings: ChunkStoreSettings
    /// What was found at the start.
    package let startReport: StoreStartReport

    /// Where the bodies are, of which nobody else has records.
    let bytes: any ChunkBytes
    let fileSystem: FileSystem
    let state: Mutex<State>
    let stripes = Stripes()
    let log: StoreLog?
    let isSweeping = Atomic(false)
    private let commits: GroupCommit<[StoreLogLine]>
    private let locks: Mutex<[DirectoryLock]>

    /// Replays and compacts the log, and brings the bodies in line with it.
    ///
    /// - Parameters:
    ///   - settings: the log, and what is allowed.
    ///   - bytes: where the bodies are. Nobody else uses them.
    ///   - locks: are given back at the end.
    ///   - fileSystem: of the log.
    /// - Throws: ``XFTPStoreError``: `damaged` when the log is none; failures of the file system. Nothing that was
    ///   acknowledged is lost then.
    package init(
        _ settings: ChunkStoreSettings, _ bytes: any ChunkBytes, locks: [DirectoryLock],
        fileSystem: FileSystem = FileSystem()
    ) throws {
        do {
            self.locks = Mutex(locks)
            var start = StoreStart(settings, bytes, fileSystem)
            let log = try start.run()
            self.settings = settings
            self.bytes = bytes
            self.fileSystem = fileSystem
            self.log = log
            startReport = start.report
            commits = GroupCommit { batches in try log?.append(batches.flatMap { $0 }) }
            var records = start.records
            let counters = try StoreCounters.restored(settings, &records, fileSystem)
            state = Mutex(State(records: records, counters: counters))
        } catch {
            throw XFTPStoreError(error)
        }
    }

    package func close() throws {
        let wasOpen = stripes.withAllLocks {
            state.withLock { state in
                defer { state.isClosed = true }
                return !state.isClosed
            }
        }
        guard wasOpen else { return }
        defer { locks.withLock { $0 = [] } }
        do {
            try keepStatistics()
        } catch {
            throw XFTPStoreError(error)
        }
    }

    // MARK: Looking

    package func sender(_ id: StoredID) throws -> StoredEntity? {
        state.withLock { state in
            state.records.chunk(id).flatMap { StoredEntity(state.records, $0, state.records.senderKey($0)) }
        }
    }

    package func recipient(_ id: StoredID) throws -> StoredEntity? {
        state.withLock { state in
            state.records.recipients.find(id).flatMap {
                StoredEntity(
                    state.records, state.records.recipients[$0].chunk, state.records.recipientKey($0))
            }
        }
    }

    package func chunk(ofRecipient id: StoredID) throws -> StoredID? { knownChunk(ofRecipient: id) }

    func knownChunk(ofRecipient id: StoredID) -> StoredID? {
        state.withLock { state in
            state.records.chunk(ofRecipient: id).map { state.records.chunks[$0].id }
        }
    }

    package func usage() throws -> StoreUsage {
        state.withLock { state in
            StoreUsage(
                chunks: state.records.chunks.count, uploaded: state.records.uploadedCount,
                recipients: state.records.recipients.count, usedSpace: state.records.usedSpace,
                reservedSpace: state.reservations.space, quota: settings.quota)
        }
    }

    package func forEach(after id: StoredID?, _ visit: (ListedChunk) throws -> Bool) throws {
        try state.withLock { $0.records.ids(after: id) }.forEachInOrder { id in
            let listed = state.withLock { state in state.records.chunk(id).map { state.records.listed($0) } }
            return try listed.map(visit) ?? true
        }
    }

    // MARK: Changing

    /// Changes a chunk while nobody else does.
    /// - Throws: ``XFTPStoreError``.
    func change<Result: Sendable>(_ id: StoredID, _ body: () throws -> Result) throws -> Result {
        do {
            return try stripes.withLock(id) {
                guard !state.withLock({ $0.isClosed }) else { throw XFTPStoreError.closed }
                return try body()
            }
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// Changes the chunk of a recipient who is still there when its lock is held.
    func changeChunk(ofRecipient id: StoredID, _ body: (StoredID) throws -> Void) throws {
        guard let chunk = knownChunk(ofRecipient: id) else { throw XFTPStoreError.unknownName }
        try change(chunk) {
            guard knownChunk(ofRecipient: id) == chunk else { throw XFTPStoreError.unknownName }
            try body(chunk)
        }
    }

    /// Makes lines of the log durable. The lock of their chunk is held.
    func commit(_ lines: [StoreLogLine]) throws { try commits.commit(lines) }

    /// The chunk that a sender means.
    /// - Throws: ``XFTPStoreError``: unknown, or blocked.
    static func chunk(_ id: StoredID, _ records: ChunkTables) throws(XFTPStoreError) -> UInt32 {
        guard let slot = records.chunk(id) else { throw .unknownName }
        switch records.status(slot) {
        case .active: return slot
        case .off: throw .unknownName
        case .blocked(let information): throw .blocked(information)
        }
    }
}

extension StoredEntity {
    /// - Returns: nil for a chunk that is treated as unknown.
    init?(_ records: ChunkTables, _ slot: UInt32, _ key: PublicKey) {
        let blocked: BlockingInfo?
        switch records.status(slot) {
        case .off: return nil
        case .active: blocked = nil
        case .blocked(let information): blocked = information
        }
        let record = records.chunks[slot]
        self.init(
            key: key, blocked: blocked, size: record.size, digest: records.digest(slot),
            isUploaded: record.isHere)
    }
}

extension [StoredID] {
    /// Goes through them in their order. What is not reached is not sorted: most look at a page of many.
    /// - Parameter visit: returns false to end.
    func forEachInOrder(_ visit: (StoredID) throws -> Bool) rethrows {
        var parts = [[StoredID]](repeating: [], count: 256)
        for id in self { parts[Int(id.high >> 56)].append(id) }
        for part in parts {
            for id in part.sorted() where try !visit(id) { return }
        }
    }
}

extension ChunkTables {
    /// The names of all chunks behind one, in any order: 16 bytes of memory for each.
    func ids(after id: StoredID?) -> [StoredID] {
        var ids: [StoredID] = []
        for slot in 0..<chunks.end where !chunks[slot].isVacant {
            let found = chunks[slot].id
            if id.map({ $0 < found }) ?? true { ids.append(found) }
        }
        return ids
    }

    /// All of a chunk.
    func listed(_ slot: Slot) -> ListedChunk {
        let record = chunks[slot]
        return ListedChunk(
            chunk: newChunk(slot), recipients: newRecipients(slot),
            body: record.isHere ? StoredBody(name: record.body, size: record.size) : nil)
    }
}
