import ValiseFiles

/// Copies of the first page in a write-ahead log, those of frames that do not count any more too.
struct LoggedPages {
    private let source: any ByteSource
    private let pageSize: Int
    /// The database, for errors.
    private let file: String

    private static let headerSize: Int64 = 32
    private static let frameHeaderSize: Int64 = 24
    /// Without the bit that says which order of bytes its checksums have.
    private static let magic: UInt32 = 0x377f_0682
    /// Where the header says how large pages are.
    private static let size: Int64 = 8

    init(_ source: any ByteSource, pageSize: Int, file: String) {
        (self.source, self.pageSize, self.file) = (source, pageSize, file)
    }

    /// - Parameter body: gets the bytes of each as they lie; throw to stop.
    /// - Throws: `DatabaseError` with `damaged` for a log with pages of another size; errors of the source; whatever `body` throws.
    func forEachFirst(_ body: ([UInt8]) throws -> Void) throws {
        // SQLite, too, takes anything else for an empty log.
        guard source.size >= Self.headerSize, try source.bigEndian(at: 0).map({ $0 & ~1 }) == Self.magic
        else { return }
        guard try source.bigEndian(at: Self.size).map(Int.init) == pageSize else {
            throw FirstPage.damage("the write-ahead log claims pages of another size", file)
        }
        let frameSize = Self.frameHeaderSize + Int64(pageSize)
        var place = Self.headerSize
        while place <= source.size - frameSize {
            if try source.bigEndian(at: place) == 1 {
                try body(source.bytes(at: place + Self.frameHeaderSize, upTo: pageSize))
            }
            place += frameSize
        }
    }
}

extension ByteSource {
    /// A number of four bytes, the most significant first; nil where the content ends before.
    func bigEndian(at place: Int64) throws -> UInt32? {
        let bytes = try bytes(at: place, upTo: 4)
        return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}
