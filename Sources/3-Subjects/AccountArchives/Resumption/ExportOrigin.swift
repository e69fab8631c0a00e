import ValiseEncoding
import ValiseFiles

/// By what a file is known again that nobody wrote to since.
struct ExportOrigin: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let size: UInt64
    private let modified: Moment
    /// Nobody can set it, so that a file that was rewritten in place is another one.
    private let changed: Moment

    private struct Moment: Equatable {
        let seconds: UInt64
        let nanoseconds: UInt64
    }

    /// What changed a moment ago could change once more without another time: many file systems have steps.
    private static let leastAge: Int64 = 2

    init(_ file: FileAttributes) {
        device = file.device
        inode = file.inode
        size = UInt64(bitPattern: file.size)
        modified = Moment(
            seconds: UInt64(bitPattern: file.modificationTime),
            nanoseconds: UInt64(bitPattern: file.modificationNanoseconds))
        changed = Moment(
            seconds: UInt64(bitPattern: file.changeTime),
            nanoseconds: UInt64(bitPattern: file.changeNanoseconds))
    }

    /// The file of an entry.
    ///
    /// - Parameters:
    ///   - before: when it was opened.
    ///   - after: when all of it was read.
    ///   - now: seconds since 1970.
    /// - Returns: nil where it changed meanwhile, or so short before that another change could not be seen.
    init?(before: FileAttributes, after: FileAttributes, now: Int64) {
        guard before == after, now - after.changeTime >= Self.leastAge else { return nil }
        self.init(after)
    }

    // MARK: Bytes

    private var values: [UInt64] {
        [device, inode, size, modified.seconds, modified.nanoseconds, changed.seconds, changed.nanoseconds]
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes.append(bigEndian: value) }
        return bytes
    }

    /// - Throws: ``ByteCodingError``.
    init(_ reader: inout ByteReader) throws(ByteCodingError) {
        device = try reader.bigEndian()
        inode = try reader.bigEndian()
        size = try reader.bigEndian()
        modified = Moment(seconds: try reader.bigEndian(), nanoseconds: try reader.bigEndian())
        changed = Moment(seconds: try reader.bigEndian(), nanoseconds: try reader.bigEndian())
    }
}
