/// What was found of a central directory.
struct ZipFoundDirectory: Sendable {
    var records: [ZipLooseHeader] = []
    /// Where the first of its bytes are that are known.
    var start: Int64
    /// Where its end record or its last known header ends.
    var end: Int64
    /// Where the archive begins in the file: what its offsets count from. Less than 0 where its begin is cut off.
    var base: Int64
    /// How many entries the end record says.
    var expected: Int?
    /// Whether its archive lies in the data of an entry.
    var isNested = false

    private static let endLength = 22
    private static let locatorLength = 20
    private static let zip64Length = 56
    /// What an end record may have behind it.
    private static let longestComment = 0xffff

    /// Whether every entry of the archive is named.
    var isComplete: Bool { expected == records.count }

    /// Where an entry lies that it names; nil where no file reaches so far.
    func offset(of record: ZipLooseHeader) -> Int64? {
        let (sum, overflow) = base.addingReportingOverflow(record.localOffset)
        return overflow ? nil : sum
    }

    /// The directory whose end record is the last in the tail of the file.
    static func last(_ bytes: ZipBytes) throws -> ZipFoundDirectory? {
        var position = max(0, bytes.size - Int64(endLength + longestComment))
        var found: ZipFoundDirectory?
        while let next = try bytes.nextSignature(from: position, limit: bytes.size) {
            if try bytes.signature(at: next) == ZipSignature.end, let directory = try ending(at: next, bytes)
            {
                found = directory
            }
            position = next + 1
        }
        return found
    }

    /// The directory before an end record.
    /// - Returns: nil where it is no end record, or contradicts what lies before it.
    static func ending(at offset: Int64, _ bytes: ZipBytes) throws -> ZipFoundDirectory? {
        let fixed = try bytes.take(endLength, at: offset)
        guard fixed.count == endLength else { return nil }
        func number(_ from: [UInt8], _ start: Int, _ width: Int) -> UInt64 {
            from[start..<start + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        var (entries, size, place) = (number(fixed, 10, 2), number(fixed, 12, 4), number(fixed, 16, 4))
        let comment = Int64(number(fixed, 20, 2))
        var recordsEnd = offset
        let zip64 = offset - Int64(locatorLength + zip64Length)
        if try bytes.signature(at: offset - Int64(locatorLength)) == ZipSignature.zip64Locator {
            recordsEnd -= Int64(locatorLength)
            if try bytes.signature(at: zip64) == ZipSignature.zip64End {
                let record = try bytes.take(zip64Length, at: zip64)
                guard record.count == zip64Length else { return nil }
                (entries, size, place) = (number(record, 32, 8), number(record, 40, 8), number(record, 48, 8))
                recordsEnd = zip64
            }
        }
        guard let length = Int64(exactly: size), let start = Int64(exactly: place), length <= recordsEnd
        else { return nil }
        var directory = ZipFoundDirectory(
            start: recordsEnd - length, end: min(bytes.size, offset + Int64(endLength) + comment),
            base: recordsEnd - length - start, expected: Int(exactly: entries))
        try directory.readRecords(upTo: recordsEnd, bytes)
        try directory.settleBase(bytes)
        return directory
    }

    /// An end record that lies shifts every offset. Where they lead to no entry at all then, and to one when they count
    /// from the begin of the file, they do that.
    private mutating func settleBase(_ bytes: ZipBytes) throws {
        guard base != 0, try !leadsToEntry(from: base, bytes), try leadsToEntry(from: 0, bytes) else {
            return
        }
        base = 0
    }

    private func leadsToEntry(from base: Int64, _ bytes: ZipBytes) throws -> Bool {
        try records.contains { record in
            let (offset, overflow) = base.addingReportingOverflow(record.localOffset)
            guard !overflow, offset >= 0, offset < bytes.size else { return false }
            return try ZipLooseHeader.local(at: offset, bytes)?.rawName == record.rawName
        }
    }

    /// The headers that follow each other from a place on, without an end record that was seen yet.
    static func starting(at offset: Int64, _ bytes: ZipBytes) throws -> ZipFoundDirectory? {
        var directory = ZipFoundDirectory(start: offset, end: offset, base: 0)
        while let record = try ZipLooseHeader.central(at: directory.end, bytes),
            directory.records.count < ZipWalk.mostEntries
        {
            directory.records.append(record)
            directory.end += record.length
        }
        return directory.records.isEmpty ? nil : directory
    }

    /// Reads the headers, and goes on behind those that are damaged.
    private mutating func readRecords(upTo limit: Int64, _ bytes: ZipBytes) throws {
        var position = start
        while position < limit, records.count < ZipWalk.mostEntries {
            if let record = try ZipLooseHeader.central(at: position, bytes) {
                records.append(record)
                position += record.length
            } else {
                guard let next = try bytes.nextSignature(from: position + 1, limit: limit, counted: true)
                else { break }
                position = next
            }
        }
    }
}
