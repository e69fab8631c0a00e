import ValiseConcurrency
import ValiseEncoding
package import ValiseFiles

/// An entry as it lies in an archive that is not complete: all that a later writer needs to take it over.
package struct ZipWrittenEntry: Sendable {
    let record: ZipEntryRecord
    /// Where its data begin.
    fileprivate let dataStart: Int64
    /// Where the next entry begins.
    package let end: Int64

    /// More than any disk has, and far from what 64 bits can count.
    private static let mostBytes: UInt64 = 1 << 60

    init(_ record: ZipEntryRecord) {
        self.record = record
        dataStart = record.localOffset + Int64(record.localHeader.count)
        end = dataStart + record.compressedSize + Int64(record.descriptor.count)
    }

    /// The path in the archive.
    package var name: String { String(decoding: record.name, as: UTF8.self) }
    /// Where it begins.
    package var offset: Int64 { record.localOffset }
    /// In bytes, unpacked.
    package var size: Int64 { record.size }
    package var method: ZipMethod { record.method }

    // MARK: Bytes

    /// Everything as bytes, the name last.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for value in [record.localOffset, record.compressedSize, record.size] {
            bytes.append(bigEndian: UInt64(value))
        }
        for value in [record.checksum, record.packedChecksum, record.modificationTime.dos] {
            bytes.append(bigEndian: value)
        }
        bytes.append(bigEndian: UInt32(bitPattern: record.modificationTime.seconds ?? 0))
        bytes.append(bigEndian: record.method.rawValue)
        bytes.append(Flags(record).rawValue)
        return bytes + record.name
    }

    /// Reads ``encoded``.
    /// - Throws: `ByteCodingError`; ``ZipError`` with `damaged` for what no archive has.
    package init(encoded: ArraySlice<UInt8>) throws {
        var reader = ByteReader(encoded)
        let places = try (
            reader.bigEndian(UInt64.self), reader.bigEndian(UInt64.self), reader.bigEndian(UInt64.self)
        )
        let checksums = try (reader.bigEndian(UInt32.self), reader.bigEndian(UInt32.self))
        let times = try (reader.bigEndian(UInt32.self), reader.bigEndian(UInt32.self))
        let method = ZipMethod(rawValue: try reader.bigEndian(UInt16.self))
        let flags = Flags(rawValue: try reader.bigEndian(UInt8.self))
        let name = try reader.take(reader.remaining)
        guard let method, !name.isEmpty, name.count <= 0xffff,
            max(places.0, places.1, places.2) <= Self.mostBytes
        else { throw ZipError.damaged(.directoryDamaged, "the record of an entry is damaged") }
        var record = ZipEntryRecord(
            name: Array(name), method: method,
            modificationTime: ZipTime(
                dos: times.0, seconds: flags.contains(.hasSeconds) ? Int32(bitPattern: times.1) : nil))
        (record.localOffset, record.compressedSize, record.size) = (
            Int64(places.0), Int64(places.1), Int64(places.2)
        )
        (record.checksum, record.packedChecksum) = checksums
        record.hasDescriptor = flags.contains(.hasDescriptor)
        record.isWide = flags.contains(.isWide)
        self.init(record)
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let hasDescriptor = Flags(rawValue: 1)
        static let isWide = Flags(rawValue: 2)
        static let hasSeconds = Flags(rawValue: 4)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ record: ZipEntryRecord) {
            self = []
            if record.hasDescriptor { insert(.hasDescriptor) }
            if record.isWide { insert(.isWide) }
            if record.modificationTime.seconds != nil { insert(.hasSeconds) }
        }
    }
}

/// Reads entries of an archive that is not complete once more.
package final class ZipWrittenCheck {
    private let archive: any ByteSource
    private let buffer = TransferBuffer(byteCount: 1 << 20)

    /// - Parameter archive: what there is of it.
    package init(_ archive: any ByteSource) { self.archive = archive }

    /// Whether the archive has an entry: its headers byte for byte, and data of the same checksum.
    ///
    /// - Parameters:
    ///   - entry: what was known of it when it was written.
    ///   - afterEach: gets how many bytes were read since the last call; throw to stop.
    /// - Throws: errors of the archive; whatever `afterEach` throws.
    package func isIntact(_ entry: ZipWrittenEntry, afterEach: (Int64) throws -> Void) throws -> Bool {
        let record = entry.record
        let dataEnd = entry.dataStart + record.compressedSize
        guard entry.end <= archive.size, try has(record.localHeader, at: entry.offset),
            try has(record.descriptor, at: dataEnd)
        else { return false }
        return try checksum(of: entry.dataStart..<dataEnd, afterEach) == record.packedChecksum
    }

    private func has(_ bytes: [UInt8], at offset: Int64) throws -> Bool {
        try bytes.isEmpty || archive.bytes(at: offset, upTo: bytes.count) == bytes
    }

    private func checksum(of range: Range<Int64>, _ afterEach: (Int64) throws -> Void) throws -> UInt32 {
        var checksum = Checksum()
        var offset = range.lowerBound
        while offset < range.upperBound {
            let available = unsafe Int(min(Int64(buffer.bytes.count), range.upperBound - offset))
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<available])
            try unsafe archive.fill(piece, at: offset)
            unsafe checksum.update(UnsafeRawBufferPointer(piece))
            offset += Int64(available)
            try afterEach(Int64(available))
        }
        return checksum.value
    }
}
