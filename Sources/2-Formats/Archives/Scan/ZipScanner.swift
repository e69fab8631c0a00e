import ValiseFiles

/// Walks through the file, a second time when the first walk found directories that explain what it did not
/// understand, and proves what was found.
final class ZipScanner {
    struct Result {
        let entries: [ZipScannedEntry]
        let directories: [ZipFoundDirectory]
        let isFull: Bool
    }

    private let bytes: ZipBytes
    private let ratio: Int64
    private let progress: (Int64) throws -> Void

    init(_ bytes: ZipBytes, ratio: Int64, progress: @escaping (Int64) throws -> Void) {
        self.bytes = bytes
        self.ratio = ratio
        self.progress = progress
    }

    func run() throws -> Result {
        let known = try ZipFoundDirectory.last(bytes).map { [$0] } ?? []
        var walk = ZipWalk(bytes, known: known, ratio: ratio, progress: progress)
        try walk.run()
        let added = found(by: walk)
        let isDoubtful = walk.hasGaps || walk.entries.contains { $0.entry.state != .intact }
        if isDoubtful, !added.isEmpty {
            let again = ZipWalk(bytes, known: nesting(known + added), ratio: ratio, progress: progress)
            try again.run()
            walk = again
        }
        let directories = nesting(walk.known + found(by: walk)).sorted { $0.end < $1.end }
        var entries = ZipNesting.resolve(walk.entries, directories)
        try ZipPendingProof(bytes: bytes, proof: walk.proof, directories: directories, progress: progress)
            .run(&entries)
        let numbers = walk.known.map { known in directories.firstIndex { $0.end == known.end } }
        for index in entries.indices {
            entries[index].entry.directory = entries[index].entry.directory.flatMap { numbers[$0] }
        }
        return Result(
            entries: outside(directories) + entries.map(\.entry), directories: directories,
            isFull: walk.isFull)
    }

    /// Directories that the walk did not know before, with the place that their offsets count from.
    private func found(by walk: ZipWalk) -> [ZipFoundDirectory] {
        let ends = Set(walk.known.map(\.end))
        let starts = Set(walk.known.map(\.start))
        var places: [[UInt8]: Int64] = [:]
        return walk.directories.compactMap { directory in
            guard !ends.contains(directory.end), !starts.contains(directory.start) else { return nil }
            guard directory.expected == nil else { return directory }
            if places.isEmpty {
                for walked in walk.entries { places[walked.entry.rawName] = walked.entry.headerOffset }
            }
            return based(directory, places)
        }
    }

    /// Where its offsets count from, by the entries that were found; nil where they do not agree with it.
    private func based(_ found: ZipFoundDirectory, _ places: [[UInt8]: Int64]) -> ZipFoundDirectory? {
        var directory = found
        var bases: [Int64: Int] = [:]
        for record in found.records where record.localOffset <= bytes.size {
            if let place = places[record.rawName] { bases[place - record.localOffset, default: 0] += 1 }
        }
        guard let best = bases.max(by: { $0.value < $1.value }) else { return directory }
        guard 2 * best.value > bases.values.reduce(0, +) else { return nil }
        directory.base = best.key
        return directory
    }

    /// Marks those whose archive lies in the span of another one.
    private func nesting(_ directories: [ZipFoundDirectory]) -> [ZipFoundDirectory] {
        var marked = directories
        for (number, inner) in directories.enumerated() where !inner.isNested {
            marked[number].isNested = directories.contains { outer in
                !outer.isNested && inner.base > max(0, outer.base) && inner.end <= outer.start
            }
        }
        return marked
    }

    /// Entries that the last directory names and that are not in the file: its begin is cut off.
    private func outside(_ directories: [ZipFoundDirectory]) -> [ZipScannedEntry] {
        guard let number = directories.lastIndex(where: { !$0.isNested }) else { return [] }
        let directory = directories[number]
        return directory.records.compactMap { record in
            if let offset = directory.offset(of: record), offset >= 0 { return nil }
            return ZipScannedEntry(
                rawName: record.rawName, isFolder: record.rawName.last == UInt8(ascii: "/"),
                methodCode: record.method, modificationTime: record.modificationTime, headerOffset: 0,
                data: 0..<0, size: record.size, checksum: record.checksum, end: 0, state: .lost(.cutOff),
                directory: number)
        }
    }
}
