/// One walk through a damaged archive from its first byte to its last, from record to record, and where none
/// follows to the next place that looks like one.
///
/// An entry is passed over as a whole where its end is known: because a directory says so, because a record
/// follows there, or because its checksum was found to hold. So what lies in the data of whole entries is never
/// looked at.
final class ZipWalk {
    let bytes: ZipBytes
    let proof: ZipProof
    let progress: (Int64) throws -> Void
    /// What is known of directories before the walk.
    var known: [ZipFoundDirectory]
    var starts: KnownStarts
    /// In the order of the file.
    var entries: [ZipWalkedEntry] = []
    /// What the walk came across.
    var directories: [ZipFoundDirectory] = []
    /// Headers of directories whose end record was not reached yet.
    private var loose: ZipFoundDirectory?
    /// Stored entries whose end is searched, as indexes of `entries`.
    var open: [Int] = []
    /// Whether bytes were found that nothing explains.
    private(set) var hasGaps = false
    private(set) var isFull = false
    var position: Int64 = 0

    static let mostEntries = 200_000
    private static let mostDirectories = 1000
    /// Headers of directories that were read.
    private var records = 0

    init(
        _ bytes: ZipBytes, known: [ZipFoundDirectory], ratio: Int64,
        progress: @escaping (Int64) throws -> Void
    ) {
        self.bytes = bytes
        self.known = known
        self.progress = progress
        proof = ZipProof(bytes: bytes, ratio: ratio, progress: progress)
        starts = KnownStarts(known)
    }

    func run() throws {
        while position < bytes.size, !bytes.isExhausted, !isFull {
            try progress(position)
            if try !step() { try search() }
            isFull =
                entries.count >= Self.mostEntries || directories.count >= Self.mostDirectories
                || records >= 2 * Self.mostEntries
        }
        if let loose { directories.append(loose) }
    }

    /// Where the next entry is that a directory names; the end of the file otherwise.
    var nextStart: Int64 { starts.next(after: position) ?? bytes.size }

    /// Takes the record at the position; false where there is none.
    private func step() throws -> Bool {
        if let place = try named() {
            try closeOpen(before: position)
            return try takeNamed(place)
        }
        if let directory = known.first(where: { !$0.isNested && $0.start == position && $0.end > position }) {
            try closeOpen(before: position)
            position = directory.end
            return true
        }
        switch try bytes.signature(at: position) {
        case ZipSignature.local:
            guard let header = try ZipLooseHeader.local(at: position, bytes) else { return false }
            try closeOpen(before: position)
            try takeUnnamed(header)
        case ZipSignature.central:
            guard let found = try ZipFoundDirectory.starting(at: position, bytes) else { return false }
            try closeOpen(before: position)
            records += found.records.count
            loose = join(loose, found)
            position = found.end
        case ZipSignature.end:
            guard let found = try ZipFoundDirectory.ending(at: position, bytes) else { return false }
            if let previous = loose, previous.start < found.start { directories.append(previous) }
            loose = nil
            records += found.records.count
            directories.append(found)
            position = max(found.end, position + 1)
        case ZipSignature.zip64End: position += 56
        case ZipSignature.zip64Locator: position += 20
        case ZipSignature.descriptor: return try closeOpen(at: position)
        default: return false
        }
        return true
    }

    /// The record of a directory that says that an entry begins here. Where several do, one of them is damaged: the one is
    /// believed whose name is that of the entry's own header.
    private func named() throws -> KnownStarts.Place? {
        let places = starts.all(at: position)
        guard places.count > 1, let local = try ZipLooseHeader.local(at: position, bytes) else {
            return places.first
        }
        return places.first { known[$0.directory].records[$0.record].rawName == local.rawName }
            ?? places.first
    }

    private func join(_ previous: ZipFoundDirectory?, _ next: ZipFoundDirectory) -> ZipFoundDirectory {
        guard var joined = previous else { return next }
        joined.records += next.records
        joined.end = next.end
        return joined
    }

    private func search() throws {
        hasGaps = true
        let limit = nextStart
        let next = try bytes.nextSignature(from: position + 1, limit: min(bytes.size, limit + 3))
        position = min(next ?? limit, limit)
    }

    /// Whether a record begins here, or the file or something known does.
    func isAnchor(_ offset: Int64) throws -> Bool {
        if offset == bytes.size || starts.isStart(offset) { return true }
        switch try bytes.signature(at: offset) {
        case ZipSignature.local, ZipSignature.central, ZipSignature.end, ZipSignature.zip64End: return true
        default: return false
        }
    }
}

/// An entry while the walk goes on.
struct ZipWalkedEntry {
    var entry: ZipScannedEntry
    let flags: UInt16
    /// Whether its checksum still has to be compared.
    var isPending = false
    /// Whether its end is sure, though its checksum may not hold.
    var isAnchored = false
    /// Where it says that its data end; nil where it does not say.
    var claim: Int64?
}

/// Where entries begin that directories name.
struct KnownStarts {
    struct Place {
        let offset: Int64
        let directory: Int
        let record: Int
    }

    private let places: [Place]

    init(_ directories: [ZipFoundDirectory]) {
        var places: [Place] = []
        for (number, directory) in directories.enumerated() where !directory.isNested {
            for (record, header) in directory.records.enumerated() {
                guard let offset = directory.offset(of: header), offset >= 0, offset < directory.start else {
                    continue
                }
                places.append(Place(offset: offset, directory: number, record: record))
            }
            // The directory itself begins nothing else.
            places.append(Place(offset: directory.start, directory: number, record: -1))
        }
        // Of two that name the same place, the later directory is believed.
        self.places = places.sorted { ($0.offset, -$0.directory) < ($1.offset, -$1.directory) }
    }

    private func index(from offset: Int64) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func at(_ offset: Int64) -> Place? { all(at: offset).first }

    /// Those that name this place, the one that is believed first.
    func all(at offset: Int64) -> ArraySlice<Place> {
        // Where a directory begins, no entry does.
        places[index(from: offset)...].prefix { $0.offset == offset && $0.record >= 0 }
    }

    func isStart(_ offset: Int64) -> Bool {
        let index = index(from: offset)
        return index < places.count && places[index].offset == offset
    }

    func next(after offset: Int64) -> Int64? {
        let index = index(from: offset + 1)
        return index < places.count ? places[index].offset : nil
    }
}
