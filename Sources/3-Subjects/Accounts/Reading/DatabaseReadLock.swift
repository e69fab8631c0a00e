import SystemPackage
import ValiseFailures
import ValiseFiles

/// SQLite's own lock of somebody who reads one database, taken without its passphrase: nobody commits to it while this
/// object lives, in the rollback mode, or nothing is taken away from the write-ahead log that was committed.
///
/// Only read access is needed, to the file and to the log's index.
final class DatabaseReadLock: Sendable {
    /// What belongs to the state that is locked besides the file.
    enum Side: Sendable, Equatable {
        /// A journal that a writer left who has died: it has to be rolled back.
        case hotJournal
        /// So many bytes of the write-ahead log.
        case log(Int64)
    }

    let path: FilePath
    /// In bytes.
    let size: Int64
    private let file: OpenFile
    private let index: LogIndex?
    private let hasHotJournal: Bool

    // https://www.sqlite.org/src: os.h, PENDING_BYTE and what follows it.
    private static let pending: Int64 = 0x4000_0000
    private static let reserved = pending + 1
    private static let shared = (start: pending + 2, length: Int64(510))

    /// - Returns: nil where somebody commits at this moment, or has the file to itself.
    /// - Throws: ``FileError``.
    init?(_ path: FilePath, _ fileSystem: FileSystem) throws {
        let file = try fileSystem.openForReading(path)
        // Who holds the first of them waits for all readers to go, and would never get there if new ones came.
        guard try file.lockRange(.shared, start: Self.pending, length: 1),
            try file.lockRange(.shared, start: Self.shared.start, length: Self.shared.length)
        else { return nil }
        // A program may have put another one in its place since it was opened.
        guard try fileSystem.attributes(of: path)?.isSameFile(as: file.attributes()) == true else {
            return nil
        }
        let indexPath = path.appendingSuffix("-shm")
        if try fileSystem.exists(indexPath) {
            guard let found = try LogIndex(indexPath, fileSystem) else { return nil }
            index = found
        } else {
            index = nil
        }
        hasHotJournal = try Self.hasHotJournal(path, file, fileSystem)
        self.path = path
        size = try file.size()
        self.file = file
    }

    /// A journal is hot where nobody who lives could still finish it. A writer who does has the reserved byte, and has not
    /// touched the file as long as readers are there.
    private static func hasHotJournal(
        _ path: FilePath, _ file: borrowing OpenFile, _ fileSystem: FileSystem
    ) throws -> Bool {
        let journal = path.appendingSuffix("-journal")
        guard try begins(journal, fileSystem) else { return false }
        guard try file.lockRange(.shared, start: reserved, length: 1) else { return false }
        // It may have been rolled back by its writer before the byte was looked at.
        return try begins(journal, fileSystem)
    }

    /// Some modes leave a journal whose beginning is zeros.
    private static func begins(_ journal: FilePath, _ fileSystem: FileSystem) throws -> Bool {
        do throws(FileError) {
            return try fileSystem.openForReading(journal).bytes(at: 0, count: 1).contains { $0 != 0 }
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// What belongs to the state besides the file, at this moment. In the rollback mode it cannot change.
    ///
    /// - Returns: nil where the log's index is being written.
    /// - Throws: ``FileError``.
    func sides() throws -> [Side]? {
        var sides: [Side] = hasHotJournal ? [.hotJournal] : []
        if let index {
            guard let length = try index.committedLength() else { return nil }
            if length > 0 { sides.append(.log(length)) }
        }
        return sides
    }
}

/// The index of a write-ahead log that is in use: how much of the log is committed. Nothing that was is overwritten while this
/// object lives.
private final class LogIndex: Sendable {
    private let file: OpenFile

    // https://www.sqlite.org/walformat.html: the locks are bytes 120 to 127 of the index.
    /// Nobody copies the log into the database.
    private static let checkpoint: Int64 = 121
    /// Of the last reader; nobody begins the log anew while any is there.
    private static let reader: Int64 = 127
    /// Twice in the beginning: the second is written first.
    private static let headerSize = 48
    private static let logHeaderSize: Int64 = 32
    private static let frameHeaderSize: Int64 = 24

    /// - Returns: nil where a program does what would overwrite the log.
    init?(_ path: FilePath, _ fileSystem: FileSystem) throws {
        let file = try fileSystem.openForReading(path)
        guard try file.lockRange(.shared, start: Self.checkpoint, length: 1),
            try file.lockRange(.shared, start: Self.reader, length: 1)
        else { return nil }
        self.file = file
    }

    /// In bytes of the log; nil where the index is being written, or was not made yet.
    func committedLength() throws(FileError) -> Int64? {
        let bytes = try file.bytes(at: 0, count: 2 * Self.headerSize)
        guard bytes.count == 2 * Self.headerSize,
            bytes.prefix(Self.headerSize).elementsEqual(bytes.suffix(Self.headerSize)), bytes[12] != 0
        else { return nil }
        // In the byte order of this machine, as SQLite maps it into memory.
        let (pageSize, frames) = unsafe bytes.withUnsafeBytes {
            unsafe (
                $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self),
                $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
            )
        }
        guard frames > 0 else { return 0 }
        let page: Int64 = pageSize == 1 ? 65536 : Int64(pageSize)
        return Self.logHeaderSize + Int64(frames) * (Self.frameHeaderSize + page)
    }
}
