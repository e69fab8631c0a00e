import ValiseArchives
import ValiseEncoding
import ValiseFiles

/// What a journal tells of one entry.
struct ExportJournalRecord {
    let origin: ExportOrigin
    let entry: ZipWrittenEntry

    /// - Throws: `ByteCodingError`; `ZipError`.
    init(_ payload: ArraySlice<UInt8>) throws {
        var reader = ByteReader(payload)
        origin = try ExportOrigin(&reader)
        entry = try ZipWrittenEntry(encoded: reader.take(reader.remaining))
    }

    /// A record as it lies in the journal.
    static func bytes(of entry: ZipWrittenEntry, from origin: ExportOrigin) -> [UInt8] {
        ExportJournalFrame.bytes(origin.encoded + entry.encoded)
    }
}

/// Reads the records of a journal one by one, whatever is in it.
struct ExportJournalReader {
    private let source: FileSource
    /// What was read of it, and not used.
    private var window: ArraySlice<UInt8> = []
    /// Where the next record begins.
    private(set) var position: Int64

    private static let step = 256 << 10
    /// The longest name, and more than what else there is.
    private static let mostBytes = 1 << 17

    /// - Parameter position: where the first record begins.
    init(_ source: FileSource, from position: Int64) {
        self.source = source
        self.position = position
    }

    /// - Returns: nil at the end. A record that is not whole is the end.
    /// - Throws: ``FileError``.
    mutating func next() throws -> ExportJournalRecord? {
        guard let header = try look(ExportJournalFrame.headerSize) else { return nil }
        var reader = ByteReader(header)
        let (length, checksum) = try (reader.bigEndian(UInt32.self), reader.bigEndian(UInt32.self))
        guard length <= Self.mostBytes,
            let bytes = try look(ExportJournalFrame.headerSize + Int(length))
        else { return nil }
        let payload = Array(bytes.dropFirst(ExportJournalFrame.headerSize))
        guard ExportJournalFrame.checksum(payload) == checksum,
            let record = try? ExportJournalRecord(payload[...])
        else { return nil }
        window = window.dropFirst(bytes.count)
        position += Int64(bytes.count)
        return record
    }

    /// The next bytes, which stay; nil where there are fewer.
    private mutating func look(_ count: Int) throws -> ArraySlice<UInt8>? {
        if window.count < count {
            let place = position + Int64(window.count)
            let more = try source.withFile { try $0.bytes(at: place, count: Self.step) }
            window = (Array(window) + more)[...]
        }
        return window.count < count ? nil : window.prefix(count)
    }
}
