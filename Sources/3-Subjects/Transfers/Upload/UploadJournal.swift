import Synchronization
import SystemPackage
import ValiseFailures
import ValiseFiles

/// The journal of one upload: a folder with one file, in the folder that the caller keeps for all of them.
///
/// What it says was done was done; chunks whose record a crash took away are only sent once more.
final class UploadJournal: Sendable {
    /// The name of the folder: what the caller calls the upload.
    let id: String
    private let folder: FilePath
    private let file: JournalFile
    private let known: Mutex<UploadState>
    private let fileSystem: FileSystem

    private static let prefix = "upload-"
    private static let fileName = "journal"

    private init(
        _ id: String, _ folder: FilePath, _ file: JournalFile, _ state: UploadState, _ fileSystem: FileSystem
    ) {
        self.id = id
        self.folder = folder
        self.file = file
        self.fileSystem = fileSystem
        known = Mutex(state)
    }

    /// Makes a journal that is durable with all its records when this returns.
    static func create(
        in states: FilePath, _ records: [UploadRecord], fileSystem: FileSystem
    ) throws -> UploadJournal {
        try fileSystem.makeDirectories(states)
        let id = prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let folder = states.appending(id)
        try fileSystem.makeDirectory(folder)
        guard let file = try JournalFile.create(folder.appending(fileName), fileSystem: fileSystem) else {
            throw busy(id)
        }
        let journal = UploadJournal(id, folder, file, UploadState(), fileSystem)
        for record in records { try journal.append(record, durable: false) }
        try file.synchronize()
        try fileSystem.synchronizeDirectory(folder)
        try fileSystem.synchronizeDirectory(states)
        return journal
    }

    /// - Throws: ``FileTransferError``: `alreadySending`, `damaged`; ``FileError``: `notFound`.
    static func open(_ id: String, in states: FilePath, fileSystem: FileSystem) throws -> UploadJournal {
        guard isName(id) else {
            throw FileTransferError.invalid("no such interrupted upload", subject: id)
        }
        let folder = states.appending(id)
        var state = UploadState()
        let file = try JournalFile.open(folder.appending(fileName), fileSystem: fileSystem) { input in
            state.apply(try UploadRecord(from: &input))
        }
        guard let file else { throw busy(id) }
        return UploadJournal(id, folder, file, state, fileSystem)
    }

    /// What was asked for, without keeping other runs from using the journal.
    /// - Returns: nil where that is not in it yet.
    /// - Throws: as ``open(_:in:fileSystem:)``.
    static func request(of id: String, in states: FilePath, fileSystem: FileSystem) throws -> UploadRequest? {
        guard isName(id) else { return nil }
        var found: UploadRequest?
        try JournalFile.look(states.appending(id).appending(fileName), fileSystem: fileSystem) { input in
            if case .request(let request) = try UploadRecord(from: &input) { found = request }
            return found == nil
        }
        return found
    }

    /// What is in it now, without keeping other runs from using the journal.
    /// - Returns: nil where there is none.
    /// - Throws: as ``open(_:in:fileSystem:)``.
    static func state(of id: String, in states: FilePath, fileSystem: FileSystem) throws -> UploadState? {
        guard isName(id) else { return nil }
        var state = UploadState()
        do {
            try JournalFile.look(states.appending(id).appending(fileName), fileSystem: fileSystem) { input in
                state.apply(try UploadRecord(from: &input))
                return true
            }
        } catch let error as FileError where error.code == .notFound {
            return nil
        }
        return state
    }

    /// Whether a journal is there and nobody can resume it.
    static func isUnreadable(_ error: any Failure) -> Bool {
        [.damaged, .unsupported, .denied].contains(error.code)
    }

    private static func isName(_ id: String) -> Bool { id.hasPrefix(prefix) && !id.contains("/") }

    private static func busy(_ id: String) -> FileTransferError {
        FileTransferError(
            .alreadySending, .inUse, "another run is sending this",
            subject: id)
    }

    /// The names of all that are there, whatever is in them.
    static func list(in states: FilePath, fileSystem: FileSystem) throws -> [String] {
        guard try fileSystem.exists(states) else { return [] }
        return try fileSystem.list(states).filter { $0.kind == .directory }.compactMap(\.name)
            .filter { $0.hasPrefix(prefix) }
    }

    /// Removes the folder of a journal that is gone, or that was never made.
    ///
    /// - Parameter now: seconds since 1970: one that was made just now may be another run's.
    static func removeRemains(_ id: String, in states: FilePath, now: Int64, fileSystem: FileSystem) throws {
        let folder = states.appending(id)
        guard try isOld(folder, now: now, fileSystem), try fileSystem.list(folder).isEmpty else { return }
        try fileSystem.removeDirectory(folder)
    }

    /// Removes the journal of a run that was killed before its request was in it: it had sent nothing.
    ///
    /// - Parameter now: seconds since 1970: one that was made just now may be another run's, before it has its lock.
    func removeUnused(now: Int64) throws {
        guard state.request == nil, try Self.isOld(folder, now: now, fileSystem) else { return }
        try remove()
    }

    private static func isOld(_ folder: FilePath, now: Int64, _ fileSystem: FileSystem) throws -> Bool {
        try fileSystem.attributes(of: folder).map { $0.modificationTime < now - newness } ?? false
    }

    /// In seconds.
    private static let newness: Int64 = 60

    /// Gives it back to other runs.
    func close() { file.close() }

    var state: UploadState { known.withLock { $0 } }

    func chunk(_ place: ChunkPlace) -> SentChunk? { known.withLock { $0.chunks[place] } }

    /// What a relay was ever told of a chunk.
    func toldDigest(_ place: ChunkPlace) -> [UInt8]? { known.withLock { $0.toldDigests[place] } }

    /// - Parameter durable: whether a power cut may lose it.
    func append(_ record: UploadRecord, durable: Bool = true) throws {
        try file.append(record, durable: durable)
        known.withLock { $0.apply(record) }
    }

    /// Removes the journal. The folder goes last, so that a crash in between leaves one without records.
    func remove() throws {
        try Self.remove(id, in: folder.parentFolder, fileSystem: fileSystem)
    }

    static func remove(_ id: String, in states: FilePath, fileSystem: FileSystem) throws {
        try fileSystem.removeTree(states.appending(id))
        try fileSystem.synchronizeDirectory(states)
    }
}
