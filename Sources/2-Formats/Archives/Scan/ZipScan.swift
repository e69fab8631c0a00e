package import ValiseFiles

/// What can be found in a broken archive: entries by their local headers and by whatever is left of the central
/// directory, each with what its checksum proves.
///
/// For a salvage. An import takes a ``ZipIndex``, which forgives nothing.
package struct ZipScan: Sendable {
    /// A central directory, or what is left of one.
    package struct Directory: Sendable {
        /// Where it lies in the file.
        package let range: Range<Int64>
        /// Headers that could be read.
        package let records: Int
        /// How many its end record says; nil without one.
        package let expected: Int?
        /// Whether its archive lies in the data of an entry.
        package let isNested: Bool

        /// Whether every entry of its archive is known by name.
        package var isComplete: Bool { expected == records }
    }

    /// In the order of the file. Entries that lie in the data of whole ones are none.
    package let entries: [ZipScannedEntry]
    /// In the order of the file.
    package let directories: [Directory]
    /// Bytes that belong to nothing that was understood, of the size of the file or less.
    package let unknown: [Range<Int64>]
    /// Of the file, in bytes.
    package let size: Int64
    /// Whether the file would need more work than is spent on one of its size: it was not looked at as a whole.
    package let isIncomplete: Bool
    /// The number of the directory that counts: the last one that is not nested; nil without any.
    package let lastDirectory: Int?
    /// Whether all entries of that archive are known, be they whole or lost.
    package let isLastArchiveNamed: Bool

    /// Looks through the file, and proves every entry that was found.
    ///
    /// The file is read about once; at most some four times where it was made to be read more often.
    ///
    /// - Parameters:
    ///   - source: the bytes of the archive.
    ///   - ratio: how many times larger than packed an entry of more than 16 MiB may be.
    ///   - progress: gets the bytes that are done; throw to stop.
    /// - Throws: an error of the source; ``ZipError`` when zlib has no memory; what `progress` throws.
    package init(
        _ source: any ByteSource, ratio: Int64 = ZipLimits().ratio,
        progress: (Int64) throws -> Void = { _ in }
    ) throws {
        let bytes = ZipBytes(source)
        let walk = try withoutActuallyEscaping(progress) { progress in
            let scanner = ZipScanner(bytes, ratio: ratio, progress: progress)
            return try scanner.run()
        }
        let all = walk.directories
        entries = walk.entries
        directories = all.map {
            Directory(
                range: $0.start..<max($0.start, min($0.end, bytes.size)), records: $0.records.count,
                expected: $0.expected,
                isNested: $0.isNested)
        }
        size = bytes.size
        isIncomplete = bytes.isExhausted || walk.isFull
        let last = all.indices.filter { !all[$0].isNested }.max { all[$0].end < all[$1].end }
        lastDirectory = last
        let named = walk.entries.count { $0.directory == last }
        isLastArchiveNamed = last.map { all[$0].isComplete && named == all[$0].records.count } ?? false
        unknown = Self.gaps(
            entries.map { $0.headerOffset..<max($0.headerOffset, $0.end) } + directories.map(\.range),
            size: size)
    }

    private static func gaps(_ ranges: [Range<Int64>], size: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var end: Int64 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > end { gaps.append(end..<range.lowerBound) }
            end = max(end, range.upperBound)
        }
        if end < size { gaps.append(end..<size) }
        return gaps
    }
}

extension ZipScan {
    /// Whether the header of an entry is anywhere in a file, damaged or not. Without one there is nothing to save.
    /// - Throws: errors of the source.
    package static func findsHeader(in source: any ByteSource) throws -> Bool {
        let bytes = ZipBytes(source)
        var position: Int64 = 0
        while let found = try bytes.nextSignature(from: position, limit: source.size) {
            let signature = try bytes.signature(at: found)
            if signature == ZipSignature.local || signature == ZipSignature.central { return true }
            position = found + 1
        }
        return false
    }
}
