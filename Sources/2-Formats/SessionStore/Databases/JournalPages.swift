import ValiseFiles

/// Copies of the first page in a rollback journal, which SQLite would put back.
struct JournalPages {
    private let source: any ByteSource
    private let pageSize: Int
    /// The database, for errors.
    private let file: String

    /// What each header begins with, and what ends a journal of several databases.
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    /// Where a header has the number of its records, the start of their checksums, and two sizes.
    private static let (count, nonce, sector, size): (Int64, Int64, Int64, Int64) = (8, 12, 20, 24)
    private static let sectors: ClosedRange<Int64> = 32...65536
    /// So far apart are the bytes that a checksum adds up.
    private static let step = 200

    init(_ source: any ByteSource, pageSize: Int, file: String) {
        (self.source, self.pageSize, self.file) = (source, pageSize, file)
    }

    /// - Parameter body: gets the bytes of each as they lie; throw to stop.
    /// - Throws: `DatabaseError` with `damaged` for a journal with pages of another size, and for one that names a file; errors of the
    ///   source; whatever `body` throws.
    func forEachFirst(_ body: ([UInt8]) throws -> Void) throws {
        guard try hasHeader(at: 0) else { return }
        try refuseOther()
        let sector = try source.bigEndian(at: Self.sector).map(Int64.init) ?? 0
        // SQLite, too, takes anything else for an empty journal.
        guard Self.sectors.contains(sector), sector.nonzeroBitCount == 1 else { return }
        var place: Int64 = 0
        while try hasHeader(at: place) {
            guard let end = try pass(from: place, sector, body) else { return }
            place = (end + sector - 1) / sector * sector
        }
    }

    private func hasHeader(at place: Int64) throws -> Bool {
        try source.bytes(at: place, upTo: Self.magic.count) == Self.magic
    }

    /// Where a transaction changes several databases, a name at the end of the journal says which file decides. SQLite removes that
    /// file, whichever it is. No program of Session has such transactions.
    private func refuseOther() throws {
        let claimed = try source.bigEndian(at: Self.size).map(Int.init)
        // None is that of the database.
        guard claimed == pageSize || claimed == 0 else {
            throw FirstPage.damage("the journal claims pages of another size", file)
        }
        let end = source.size - Int64(Self.magic.count)
        guard end > 0, try hasHeader(at: end) else { return }
        throw FirstPage.damage("the journal is of a transaction of several databases", file)
    }

    /// Goes through the records behind a header.
    /// - Returns: where they end; nil where SQLite would put back no more.
    private func pass(
        from header: Int64, _ sector: Int64, _ body: ([UInt8]) throws -> Void
    ) throws -> Int64? {
        guard let count = try source.bigEndian(at: header + Self.count),
            let nonce = try source.bigEndian(at: header + Self.nonce)
        else { return nil }
        var place = header + sector
        for _ in 0..<count {
            guard let number = try source.bigEndian(at: place) else { return nil }
            if number == 1 {
                let page = try source.bytes(at: place + 4, upTo: pageSize)
                let checksum = try source.bigEndian(at: place + 4 + Int64(pageSize))
                guard checksum == self.checksum(of: page, nonce) else { return nil }
                try body(page)
            }
            place += Int64(pageSize) + 8
        }
        return place
    }

    private func checksum(of page: [UInt8], _ nonce: UInt32) -> UInt32 {
        guard page.count == pageSize else { return ~nonce }
        return stride(from: pageSize - Self.step, to: 0, by: -Self.step).reduce(nonce) {
            $0 &+ UInt32(page[$1])
        }
    }
}
