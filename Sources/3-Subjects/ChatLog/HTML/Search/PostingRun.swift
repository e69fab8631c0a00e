/// A word and its documents in a temporary file: documents after the first are written as in the index already.
struct PostingRecord {
    var word: [UInt8] = []
    var first: UInt32 = 0
    var last: UInt32 = 0
    var rest: [UInt8] = []

    /// Appends a record.
    static func append(
        _ word: ArraySlice<UInt8>, _ documents: ArraySlice<UInt32>, to bytes: inout [UInt8]
    ) {
        guard let first = documents.first, let last = documents.last else { return }
        var rest: [UInt8] = []
        var previous = first
        for document in documents.dropFirst() {
            PostingCode.append(document - previous, to: &rest)
            previous = document
        }
        for number in [UInt32(word.count), first, last, UInt32(rest.count)] {
            for shift in [0, 8, 16, 24] as [UInt32] {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        bytes += word
        bytes += rest
    }
}

/// Reads the records of a temporary file in their order.
struct PostingRunReader {
    private let store: any SpillStore
    private let run: Int
    private var offset = 0
    private var buffer: [UInt8] = []
    private var place = 0
    /// The record that is next; nil at the end.
    private(set) var record: PostingRecord?

    private static let bufferSize = 1 << 16
    private static let headSize = 16

    init(_ store: any SpillStore, run: Int) throws {
        self.store = store
        self.run = run
        try advance()
    }

    /// Goes to the next record.
    mutating func advance() throws {
        guard try has(Self.headSize) else {
            record = nil
            return
        }
        let numbers = (0..<4).map { field in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(buffer[place + field * 4 + $1]) << UInt32($1 * 8) }
        }
        let (wordCount, restCount) = (Int(numbers[0]), Int(numbers[3]))
        guard try has(Self.headSize + wordCount + restCount) else {
            record = nil
            return
        }
        let start = place + Self.headSize
        record = PostingRecord(
            word: Array(buffer[start..<(start + wordCount)]), first: numbers[1], last: numbers[2],
            rest: Array(buffer[(start + wordCount)..<(start + wordCount + restCount)]))
        place = start + wordCount + restCount
    }

    /// Whether so many bytes follow, which are in the buffer then.
    private mutating func has(_ count: Int) throws -> Bool {
        guard buffer.count - place < count else { return true }
        buffer.removeFirst(place)
        place = 0
        while buffer.count < count {
            let more = try store.read(
                from: run, at: offset, count: max(Self.bufferSize, count - buffer.count))
            guard !more.isEmpty else { return false }
            buffer += more
            offset += more.count
        }
        return true
    }
}
