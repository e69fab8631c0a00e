/// The first names of a folder in the order of their bytes, as many as fit into a limit of memory.
///
/// All names are offered, in any order. Where they do not fit, those at the end are left out, for another batch.
struct NameBatch {
    private struct Entry {
        /// The first eight bytes, which tell most names apart.
        let head: UInt64
        private let first: UInt32
        private let count: UInt32

        init(head: UInt64, start: Int, count: Int) {
            self.head = head
            first = UInt32(start)
            self.count = UInt32(count)
        }

        var place: Range<Int> { Int(first)..<Int(first + count) }
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var next = 0
    private let mostBytes: Int
    /// The first name that was left out; nil for none.
    private var bound: [UInt8]?

    /// - Parameter mostBytes: that it takes, about; less than 4 GiB.
    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// Whether names were left out.
    var isCut: Bool { bound != nil }

    mutating func add(_ name: [UInt8]) {
        if let bound, !name.lexicographicallyPrecedes(bound) { return }
        append(name[...])
        if bytes.count + entries.count * MemoryLayout<Entry>.stride > mostBytes, entries.count > 1 { halve() }
    }

    private mutating func append(_ name: ArraySlice<UInt8>) {
        var head: UInt64 = 0
        for place in 0..<8 {
            let byte = place < name.count ? name[name.startIndex + place] : 0
            head = head << 8 | UInt64(byte)
        }
        entries.append(Entry(head: head, start: bytes.count, count: name.count))
        bytes += name
    }

    private mutating func halve() {
        sort()
        let all = self
        (bytes, entries) = ([], [])
        let middle = all.entries.count / 2
        for entry in all.entries[..<middle] { append(all.bytes[entry.place]) }
        let first = all.entries[middle]
        bound = Array(all.bytes[first.place])
    }

    /// To be called when all names were offered.
    mutating func sort() {
        let bytes = self.bytes
        entries.sort { left, right in
            guard left.head == right.head else { return left.head < right.head }
            return bytes[left.place].lexicographicallyPrecedes(bytes[right.place])
        }
    }

    /// The next name in order; nil at the end.
    mutating func popFirst() -> ArraySlice<UInt8>? {
        guard next < entries.count else { return nil }
        next += 1
        return bytes[entries[next - 1].place]
    }

    /// The name that was taken last; nil before the first one.
    var last: [UInt8]? { next == 0 ? nil : Array(bytes[entries[next - 1].place]) }
}
