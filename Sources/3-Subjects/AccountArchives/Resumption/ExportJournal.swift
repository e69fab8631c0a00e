import Synchronization
import SystemPackage
import ValiseArchives
import ValiseEncoding
import ValiseFiles

/// What a later run has to know of an archive that is being written, in `NAME.partial.journal`.
///
/// A line by which it is known, then records: the length and the CRC-32 of what follows, four bytes each with the highest
/// first. The first record says how the archive is packed, each other one tells of an entry whose bytes are durable. It is
/// only appended to, and not flushed itself: nothing of it is believed before the archive was read once more.
final class ExportJournal: Sendable {
    private struct State {
        /// In bytes; 0 for one that is not there.
        var size: Int64 = 0
        var kept = ExportContinuation.Kept()
        /// Whether an append failed, so that nothing may follow.
        var isBroken = false
    }

    let path: FilePath
    private let fileSystem: FileSystem
    /// What every journal with the same conditions begins with.
    private let beginning: [UInt8]
    private let state = Mutex(State())

    /// Of the archive's temporary name.
    static let suffix = ".journal"
    static let mark = Array("Valise export journal 1\n".utf8)

    /// - Parameters:
    ///   - path: its name; a file is made with the first record.
    ///   - conditions: what the bytes of an entry depend on, besides its file.
    ///   - fileSystem: where it is written.
    init(_ path: FilePath, conditions: String, _ fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
        beginning = Self.mark + ExportJournalFrame.bytes(Array(conditions.utf8))
    }

    /// Whether there is a record that a later run may find.
    var isBegun: Bool { state.withLock { $0.size > 0 } }

    /// What the records tell that this run wrote or took over.
    var kept: ExportContinuation.Kept { state.withLock { $0.kept } }

    /// Appends records. An export does not fail with its journal, of which less can be kept then.
    func append(_ records: [UInt8], _ added: ExportContinuation.Kept) {
        guard !records.isEmpty else { return }
        state.withLock { state in
            guard !state.isBroken else { return }
            do {
                if state.size == 0 {
                    var file = try fileSystem.create(path)
                    try file.write(beginning + records)
                    state.size = Int64(beginning.count + records.count)
                } else {
                    let file = try fileSystem.openForUpdating(path)
                    let end = state.size
                    try unsafe records.withUnsafeBytes { try unsafe file.write($0, at: end) }
                    state.size = end + Int64(records.count)
                }
                state.kept.files += added.files
                state.kept.size += added.size
            } catch {
                state.isBroken = true
            }
        }
    }

    /// Opens what an earlier run left.
    /// - Returns: nil where that was packed in another way.
    /// - Throws: ``FileError``.
    func open() throws -> ExportJournalReader? {
        let source = try FileSource(path, fileSystem: fileSystem)
        let found = try source.withFile { try $0.bytes(at: 0, count: beginning.count) }
        guard found == beginning else { return nil }
        return ExportJournalReader(source, from: Int64(beginning.count))
    }

    /// Goes on behind what was taken over of an earlier run: the rest is cut off.
    /// - Throws: ``FileError``.
    func take(_ kept: ExportContinuation.Kept, upTo size: Int64) throws(FileError) {
        try fileSystem.openForUpdating(path).truncate(to: size)
        state.withLock { $0 = State(size: size, kept: kept) }
    }

    /// Removes what is there.
    /// - Throws: ``FileError``.
    func remove() throws(FileError) {
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
        state.withLock { $0 = State() }
    }
}

/// A record as it lies in the journal.
enum ExportJournalFrame {
    /// Length and checksum.
    static let headerSize = 8

    static func bytes(_ payload: [UInt8]) -> [UInt8] {
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(payload.count))
        header.append(bigEndian: checksum(payload))
        return header + payload
    }

    static func checksum(_ payload: [UInt8]) -> UInt32 {
        unsafe payload.withUnsafeBytes { unsafe Checksum($0) }.value
    }
}
