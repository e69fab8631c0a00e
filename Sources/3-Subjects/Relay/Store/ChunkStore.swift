import Synchronization
import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseXFTPWire

/// What a relay keeps: chunks, their names and keys (XFTP fact sheet, §5.2 and §9). Joins records with the bytes they are of.
///
/// What was acknowledged is durable, as its ``ChunkRecords`` and ``ChunkBytes`` promise. Calls block on the disk or a server, so they
/// belong on threads that may; any number of them at once.
package final class ChunkStore: Sendable {
    package let rules: ChunkStoreRules
    /// What was found at the start.
    package let startReport: StoreStartReport

    let records: any ChunkRecords
    let bytes: any ChunkBytes
    private let locks: Mutex<[DirectoryLock]>

    /// - Parameters:
    ///   - records: are closed with the store.
    ///   - bytes: of these records.
    ///   - rules: what holds for chunks.
    ///   - startReport: what was found when the records were opened.
    ///   - locks: are given back at the end.
    package init(
        _ records: any ChunkRecords, _ bytes: any ChunkBytes, _ rules: ChunkStoreRules,
        startReport: StoreStartReport = StoreStartReport(), locks: [DirectoryLock] = []
    ) {
        self.records = records
        self.bytes = bytes
        self.rules = rules
        self.startReport = startReport
        self.locks = Mutex(locks)
    }

    /// Opens the store that is the default: ``EmbeddedRecords`` with their log, bodies in a ``ChunkFolder``.
    ///
    /// - Throws: as ``init(_:_:fileSystem:)``.
    package convenience init(_ settings: ChunkStoreSettings, fileSystem: FileSystem = FileSystem()) throws {
        try self.init(
            settings, ChunkFolder(settings.folder, fileSystem: fileSystem), fileSystem: fileSystem)
    }

    /// Opens ``EmbeddedRecords`` with their log, over any bytes, for this process alone.
    ///
    /// - Throws: ``XFTPStoreError``: `inUse` when another relay has one of the folders, `damaged` when the log is
    ///   none; failures of the file system. Nothing that was acknowledged is lost then.
    package convenience init(
        _ settings: ChunkStoreSettings, _ bytes: any ChunkBytes, fileSystem: FileSystem = FileSystem()
    ) throws {
        do {
            if bytes is ChunkFolder { try fileSystem.makeDirectories(settings.folder) }
            let locks = try Self.lock(settings, bytes, fileSystem)
            let records = try EmbeddedRecords(settings, bytes, locks: locks, fileSystem: fileSystem)
            self.init(records, bytes, settings.rules, startReport: records.startReport)
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// Keeps the counters and gives files, locks and connections back. Whatever is called afterwards fails.
    /// - Throws: ``XFTPStoreError`` when the counters could not be kept. The store is closed all the same.
    package func close() throws {
        defer { locks.withLock { $0 = [] } }
        try calling { try records.close() }
    }

    // MARK: Looking

    /// What a sender's name stands for; nil for an unknown one.
    /// - Throws: ``XFTPStoreError``.
    package func sender(_ id: EntityID) throws -> StoredEntity? {
        guard let id = StoredID(id) else { return nil }
        return try calling { try records.sender(id) }
    }

    /// What a recipient's name stands for; nil for an unknown one.
    /// - Throws: ``XFTPStoreError``.
    package func recipient(_ id: EntityID) throws -> StoredEntity? {
        guard let id = StoredID(id) else { return nil }
        return try calling { try records.recipient(id) }
    }

    /// What is kept at this moment.
    /// - Throws: ``XFTPStoreError``.
    package var usage: StoreUsage {
        get throws { try calling { try records.usage() } }
    }

    // MARK: Upkeep

    /// Whether the records have grown so much that compacting them should not wait for the next look. Quick: ask after every
    /// command.
    package var wantsCompaction: Bool { records.wantsCompaction }

    /// Gives back space that records of what has gone still take, where that is worth it.
    /// - Throws: ``XFTPStoreError``; the records go on as they are.
    package func compactWhereWorthwhile() throws { try calling { try records.compactWhereWorthwhile() } }

    // MARK: Failures

    /// Whatever fails fails as an error of the store.
    func calling<Result>(_ body: () throws -> Result) throws(XFTPStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// - Throws: ``XFTPStoreError``, unknown: no name of a relay's has another length.
    static func known(_ id: EntityID) throws(XFTPStoreError) -> StoredID {
        guard let id = StoredID(id) else { throw .unknownName }
        return id
    }
}
