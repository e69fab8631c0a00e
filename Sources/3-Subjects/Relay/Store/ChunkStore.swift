import Synchronization
import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseXFTPWire

/// What a relay keeps: chunks, their names and keys (XFTP fact sheet, §5.2 and §9).
///
/// What was acknowledged survives a crash, a power cut and a full disk: bodies and lines of the log are durable before
/// a call returns. Calls block on the disk, so they belong on threads that may; any number of them at once.
///
/// The quota counts what is really uploaded, and what is coming in. The official relay counts at its start every
/// chunk that was ever announced, uploaded or not.
package final class ChunkStore: Sendable {
    struct State: ~Copyable {
        var records: ChunkRecords
        /// Bytes that uploads may still write.
        var reservedSpace: Int64 = 0
        var counters: StoreCounters
        var compactionPause = CompactionPause()
        var isClosed = false
    }

    package let settings: ChunkStoreSettings
    /// What was found at the start.
    package let startReport: StoreStartReport

    let folder: ChunkFolder
    let state: Mutex<State>
    let stripes = Stripes()
    let log: StoreLog?
    private let commits: GroupCommit<[StoreLogLine]>
    private let locks: Mutex<[DirectoryLock]>

    /// Replays and compacts the log, and brings the bodies in line with it.
    ///
    /// - Throws: ``XFTPStoreError``: `inUse` when another relay has one of the folders, `damaged` when the log is
    ///   none; failures of the file system. Nothing that was acknowledged is lost then.
    package init(_ settings: ChunkStoreSettings, fileSystem: FileSystem = FileSystem()) throws {
        do {
            try fileSystem.makeDirectories(settings.folder)
            locks = Mutex(try Self.lock(settings, fileSystem))
            folder = ChunkFolder(settings.folder, fileSystem: fileSystem)
            var start = StoreStart(settings, folder)
            let log = try start.run()
            self.settings = settings
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

    /// For locks of what has just ended.
    private static let patience = Duration.milliseconds(500)

    private static func lock(
        _ settings: ChunkStoreSettings, _ fileSystem: FileSystem
    ) throws -> [DirectoryLock] {
        var folders = [try fileSystem.resolve(settings.folder)]
        // A relay without a log has its folder for itself, too.
        for file in [settings.log, settings.statistics] {
            guard let parent = file?.parentFolder else { continue }
            try fileSystem.makeDirectories(parent)
            let folder = try fileSystem.resolve(parent)
            if !folders.contains(folder) { folders.append(folder) }
        }
        return try folders.map { folder in
            guard let lock = try DirectoryLock.take(folder, .exclusive, patience: patience) else {
                throw XFTPStoreError(
                    .inUse, "another relay is using this folder",
                    subject: folder.string, remedy: .stopRelayOrChooseFolder)
            }
            return lock
        }
    }

    /// Keeps the counters and gives the folders back. Whatever is called afterwards fails.
    /// - Throws: ``XFTPStoreError`` when the counters could not be kept. The store is closed all the same.
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

    /// What a sender's name stands for; nil for an unknown one.
    package func sender(_ id: EntityID) -> StoredEntity? {
        guard let id = StoredID(id) else { return nil }
        return state.withLock { state in
            state.records.chunk(id).flatMap { StoredEntity(state.records, $0, state.records.senderKey($0)) }
        }
    }

    /// What a recipient's name stands for; nil for an unknown one.
    package func recipient(_ id: EntityID) -> StoredEntity? {
        guard let id = StoredID(id) else { return nil }
        return state.withLock { state in
            state.records.recipients.find(id).flatMap {
                StoredEntity(
                    state.records, state.records.recipients[$0].chunk, state.records.recipientKey($0))
            }
        }
    }

    /// What is kept at this moment.
    package var usage: StoreUsage {
        state.withLock { state in
            StoreUsage(
                chunks: state.records.chunks.count, uploaded: state.records.uploadedCount,
                recipients: state.records.recipients.count, usedSpace: state.records.usedSpace,
                reservedSpace: state.reservedSpace, quota: settings.quota)
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

    /// Makes lines of the log durable. The lock of their chunk is held.
    func commit(_ lines: [StoreLogLine]) throws { try commits.commit(lines) }

    /// The chunk that a sender means.
    /// - Throws: ``XFTPStoreError``: unknown, or blocked.
    static func chunk(_ id: StoredID, _ records: ChunkRecords) throws(XFTPStoreError) -> UInt32 {
        guard let slot = records.chunk(id) else { throw .unknownName }
        switch records.status(slot) {
        case .active: return slot
        case .off: throw .unknownName
        case .blocked(let information): throw .blocked(information)
        }
    }
}

/// What a name stands for: enough to check who asks.
package struct StoredEntity: Sendable {
    /// The key to verify with.
    package let key: PublicKey
    /// Nil unless the operator blocked the chunk.
    package let blocked: BlockingInfo?
    /// Of the chunk, in bytes.
    package let size: UInt32
    /// SHA-256 of the chunk, as its sender announced it.
    package let digest: [UInt8]
    package let isUploaded: Bool

    /// - Returns: nil for a chunk that is treated as unknown.
    init?(_ records: ChunkRecords, _ slot: UInt32, _ key: PublicKey) {
        switch records.status(slot) {
        case .off: return nil
        case .active: blocked = nil
        case .blocked(let information): blocked = information
        }
        self.key = key
        size = records.chunks[slot].size
        digest = records.digest(slot)
        isUploaded = records.chunks[slot].isHere
    }
}

/// What a store keeps.
package struct StoreUsage: Hashable, Sendable, Codable {
    /// Chunks that were announced.
    package let chunks: Int
    /// Those of them whose bodies are here.
    package let uploaded: Int
    package let recipients: Int
    /// Of bodies, in bytes.
    package let usedSpace: Int64
    /// Of bodies that are coming in, in bytes.
    package let reservedSpace: Int64
    /// In bytes; nil for none.
    package let quota: Int64?
}
