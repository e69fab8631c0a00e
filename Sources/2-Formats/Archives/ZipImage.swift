/// The bytes of a zip file of stored entries that nobody has written: the same as ``ZipWriter`` writes where it is
/// reproducible.
///
/// Names, sizes and checksums tell where everything lies, so any stretch can be made at any time. Some 40 bytes of
/// memory for each entry, besides its name.
package struct ZipImage: Sendable {
    /// What is known of one entry.
    package struct Entry: Sendable, Equatable {
        /// The path in the archive.
        package let name: String
        /// In bytes.
        package let size: Int64
        /// The CRC-32 of its content.
        package let checksum: UInt32
    }

    private struct Place: Sendable {
        let nameEnd: Int
        let size: Int64
        let checksum: UInt32
        /// Of the local header.
        let offset: Int64
        /// Of the central header, in the directory.
        let directoryOffset: Int64
    }

    private var places: [Place] = []
    /// Of all entries, one after the other.
    private var names: [UInt8] = []
    private var directoryOffset: Int64 = 0
    private var directorySize: Int64 = 0

    /// More than any disk has, and far from what 64 bits can count.
    private static let mostBytes: Int64 = 1 << 60

    /// An archive without entries.
    /// - Parameter count: how many there will be, where that is known.
    package init(reservingCapacity count: Int = 0) {
        places.reserveCapacity(count)
    }

    /// How many entries there are.
    package var count: Int { places.count }

    /// Of the archive, in bytes.
    package var size: Int64 { directoryOffset + directorySize + Int64(end.count) }

    /// The entry of that number, from 0.
    package subscript(index: Int) -> Entry {
        let place = places[index]
        let name = String(decoding: nameBytes(index), as: UTF8.self)
        return Entry(name: name, size: place.size, checksum: place.checksum)
    }

    /// Adds an entry behind the others.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, valid by ``ZipName``.
    ///   - size: of its content, in bytes.
    ///   - checksum: the CRC-32 of its content.
    /// - Throws: ``ZipError``: `unsupported` for a name or a size that no archive can have.
    package mutating func add(_ name: String, size: Int64, checksum: UInt32) throws(ZipError) {
        let bytes = Array(name.utf8)
        guard bytes.count <= 0xffff else { throw .nameTooLong(name) }
        guard size >= 0, size <= Self.mostBytes - directoryOffset else {
            throw .unsupported(.totalSize, "too large for a zip archive", entry: name)
        }
        let record = ZipEntryRecord(
            stored: bytes, size: size, checksum: checksum, localOffset: directoryOffset)
        names += bytes
        places.append(
            Place(
                nameEnd: names.count, size: size, checksum: checksum, offset: directoryOffset,
                directoryOffset: directorySize))
        directoryOffset += Int64(record.localHeader.count + record.descriptor.count) + size
        directorySize += Int64(record.centralHeader.count)
    }

    /// Fills the buffer with the archive's bytes from `offset`: fewer bytes only where it ends.
    ///
    /// - Parameters:
    ///   - buffer: is filled as far as there are bytes.
    ///   - offset: in the archive.
    ///   - content: has to fill all of its buffer with the content of the entry of that number, from that
    ///     place in it. Called in order, and never for nothing.
    /// - Returns: how many bytes these are.
    /// - Throws: what `content` throws.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64,
        content: (Int, UnsafeMutableRawBufferPointer, Int64) throws -> Void
    ) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let count = Int(min(Int64(buffer.count), size - offset))
        let window = unsafe ZipImageWindow(
            bytes: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), start: offset)
        try unsafe fillEntries(window, content)
        fillDirectory(window)
        window.copy(end, at: directoryOffset + directorySize)
        return count
    }

    private func fillEntries(
        _ window: ZipImageWindow, _ content: (Int, UnsafeMutableRawBufferPointer, Int64) throws -> Void
    ) throws {
        guard window.start < directoryOffset else { return }
        for index in last(\.offset, upTo: window.start)..<places.count {
            let place = places[index]
            guard place.offset < window.end else { return }
            let record = record(index)
            let header = record.localHeader
            window.copy(header, at: place.offset)
            let start = place.offset + Int64(header.count)
            if let (part, position) = unsafe window.part(start..<start + place.size) {
                try unsafe content(index, part, position)
            }
            window.copy(record.descriptor, at: start + place.size)
        }
    }

    private func fillDirectory(_ window: ZipImageWindow) {
        guard !places.isEmpty, unsafe window.part(directoryOffset..<directoryOffset + directorySize) != nil
        else {
            return
        }
        let first = last(\.directoryOffset, upTo: max(0, window.start - directoryOffset))
        for index in first..<places.count {
            let offset = directoryOffset + places[index].directoryOffset
            guard offset < window.end else { return }
            window.copy(record(index).centralHeader, at: offset)
        }
    }

    private var end: [UInt8] {
        ZipEnd.bytes(
            entries: places.count, directoryOffset: directoryOffset, directorySize: directorySize)
    }

    private func record(_ index: Int) -> ZipEntryRecord {
        let place = places[index]
        return ZipEntryRecord(
            stored: Array(nameBytes(index)), size: place.size, checksum: place.checksum,
            localOffset: place.offset)
    }

    private func nameBytes(_ index: Int) -> ArraySlice<UInt8> {
        names[(index == 0 ? 0 : places[index - 1].nameEnd)..<places[index].nameEnd]
    }

    /// The last entry that begins there or before.
    private func last(_ place: KeyPath<Place, Int64>, upTo position: Int64) -> Int {
        var (low, high) = (0, places.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if places[middle][keyPath: place] <= position { low = middle } else { high = middle }
        }
        return low
    }
}

/// The stretch of an archive that is asked for.
@safe private struct ZipImageWindow {
    let bytes: UnsafeMutableRawBufferPointer
    let start: Int64

    var end: Int64 { unsafe start + Int64(bytes.count) }

    /// What is asked for of a range, and where in the range that begins; nil for nothing.
    func part(_ range: Range<Int64>) -> (bytes: UnsafeMutableRawBufferPointer, position: Int64)? {
        let (lower, upper) = (max(range.lowerBound, start), min(range.upperBound, end))
        guard lower < upper else { return nil }
        let part = unsafe bytes[Int(lower - start)..<Int(upper - start)]
        return unsafe (UnsafeMutableRawBufferPointer(rebasing: part), lower - range.lowerBound)
    }

    /// Takes what is asked for of bytes that lie at this offset.
    func copy(_ source: [UInt8], at offset: Int64) {
        guard let (part, position) = unsafe part(offset..<offset + Int64(source.count)) else { return }
        unsafe part.copyBytes(from: source[Int(position)..<Int(position) + part.count])
    }
}
