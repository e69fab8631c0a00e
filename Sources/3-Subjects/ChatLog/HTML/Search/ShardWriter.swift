/// Writes the words of the index, in their order, to files of about one size.
struct ShardWriter {
    private let sink: any PageSink
    private var bytes: [UInt8] = []
    /// The first word of each file.
    private(set) var firstWords: [String] = []

    private static let size = 96 * 1024
    private static let perFolder = 256

    init(sink: any PageSink) { self.sink = sink }

    /// Adds a word with its documents.
    mutating func add(_ word: [UInt8], _ postings: [UInt8]) throws {
        if bytes.isEmpty {
            firstWords.append(String(decoding: word, as: UTF8.self))
            bytes += "valise.words(\(firstWords.count - 1),\"".utf8
        }
        bytes += word
        bytes.append(UInt8(ascii: " "))
        bytes += postings
        bytes += "\\n".utf8
        if bytes.count >= Self.size { try finish() }
    }

    /// Writes the rest.
    mutating func finish() throws {
        guard !bytes.isEmpty else { return }
        bytes += "\");\n".utf8
        try sink.write(Self.path("words", firstWords.count - 1), bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Where a part of the index is: not too many files are in one folder.
    static func path(_ kind: String, _ number: Int) -> String {
        "search/\(kind)/\(number / perFolder)/\(number % perFolder).js"
    }
}
