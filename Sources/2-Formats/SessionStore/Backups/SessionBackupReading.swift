import SystemPackage
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// One pass over the files of a backup.
struct SessionBackupReading: ~Copyable {
    private var frames: SessionBackupFrames
    private var paths = SessionBackupPath()
    private var extraCount = 0
    private let name: String

    init(_ source: any ByteSource, key: SecretSeed, at start: Int64) throws {
        frames = try SessionBackupFrames(source, key: key, at: start)
        name = source.path.string
    }

    /// Reads the next file.
    /// - Parameter number: its number, from 1, for errors.
    mutating func readFile(
        _ number: Int, into receiver: inout some SessionBackupReceiver, progress: (Int64) throws -> Void
    ) throws {
        let entry = try describe(number)
        let isWanted = try receiver.begin(entry)
        var left = entry.size
        var isRegular = true
        while left > 0 {
            let sizes = 1...Int(min(Int64(SessionBackupFormat.chunkSize), left))
            let size =
                isWanted
                ? try unsafe frames.next(SessionBackupFormat.contentWidth, sizes, of: entry.path) { bytes in
                    try unsafe receiver.receive(bytes)
                    return bytes.count
                } : try frames.skip(SessionBackupFormat.contentWidth, sizes, of: entry.path)
            left -= Int64(size)
            if left > 0, size < SessionBackupFormat.chunkSize { isRegular = false }
            try progress(frames.position)
        }
        try receiver.end(entry, isRegular: isRegular)
    }

    private mutating func describe(_ number: Int) throws -> SessionBackupEntry {
        let part = "the description of file \(number)"
        let description = try unsafe frames.next(
            SessionBackupFormat.fileWidth, 14...SessionBackupFormat.largestDescription, of: part
        ) { unsafe [UInt8]($0) }
        guard let fields = try? Self.fields(description), let path = fields.path else {
            throw SessionStoreError(.damaged, "\(part) is malformed", name)
        }
        let (size, flag) = (fields.size, fields.flag)
        if let problem = paths.problem(with: path) {
            throw SessionStoreError(.damaged, "the path of file \(number) \(problem)", name)
        }
        // Each of its bytes takes one of the backup at least.
        guard size <= UInt64(frames.remaining) else {
            throw SessionStoreError(.damaged, "file \(number) claims more bytes than follow", name)
        }
        guard flag <= 1, (flag == 1) == path.hasPrefix(SessionBackupEntry.extraFolder) else {
            throw SessionStoreError(.damaged, "file \(number) is in the wrong folder for its kind", name)
        }
        extraCount += Int(flag)
        return SessionBackupEntry(path: path, size: Int64(size), isExtra: flag == 1, start: frames.position)
    }

    /// - Returns: a path of nil where it is no UTF-8.
    private static func fields(
        _ description: [UInt8]
    ) throws -> (path: String?, size: UInt64, flag: UInt8) {
        var reader = ByteReader(description)
        let length: UInt32 = try reader.littleEndian()
        let path = String(validating: try reader.take(Int(length)), as: UTF8.self)
        let size: UInt64 = try reader.littleEndian()
        let flag: UInt8 = try reader.littleEndian()
        return reader.remaining == 0 ? (path, size, flag) : (nil, 0, 0)
    }

    /// - Throws: ``SessionStoreError`` with `damaged` where the kinds of files are not as the counts say, or something follows.
    borrowing func finish(files: Int, extra: Int) throws {
        guard extraCount == extra else {
            throw SessionStoreError(
                .damaged,
                "the backup claims \(Count.text(extra, "extra file")), but contains \(extraCount)", name)
        }
        guard frames.isAtEnd else {
            throw SessionStoreError(
                .damaged,
                "\(Count.text(frames.remaining, "byte")) follow the last file of the backup", name)
        }
    }
}
