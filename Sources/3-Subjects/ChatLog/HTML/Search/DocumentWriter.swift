/// Writes what the search shows of each item: where it is, whose it is, and its beginning.
struct DocumentWriter {
    /// Something that can be found.
    struct Document {
        let folder: String
        let page: String
        let key: String
        let author: String
        let minutes: Int64
        let isDeleted: Bool
        let text: String
    }

    private let sink: any PageSink
    private var pages = Names()
    private var authors = Names()
    private var rows: [UInt8] = []
    private var inFile = 0
    private var files = 0

    /// How many documents are in a file.
    static let perFile = 256
    /// How much of a text is kept, in characters of Unicode.
    static let mostScalars = 300

    init(sink: any PageSink) { self.sink = sink }

    /// Adds the next document.
    mutating func add(_ document: Document) throws {
        if inFile > 0 { rows.append(UInt8(ascii: ",")) }
        let page = pages.number(of: "\(document.folder)/\(document.page)")
        let author = authors.number(of: document.author)
        rows += "\n\(page),\(author),\(document.minutes),\(document.isDeleted ? 1 : 0),".utf8
        JavaScriptText.append(document.key, to: &rows)
        rows.append(UInt8(ascii: ","))
        JavaScriptText.append(Self.beginning(of: VisibleText.of(document.text)), to: &rows)
        inFile += 1
        if inFile == Self.perFile { try finish() }
    }

    /// The end is marked where there is more.
    private static func beginning(of text: String) -> String {
        guard text.utf8.count > mostScalars else { return text }
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: mostScalars, limitedBy: scalars.endIndex)
        guard let end, end < scalars.endIndex else { return text }
        return String(scalars[..<end]) + "\u{1}"
    }

    /// Writes the rest.
    mutating func finish() throws {
        guard inFile > 0 else { return }
        var bytes = Array("valise.documents(\(files),\(pages.script),\(authors.script),[".utf8)
        bytes += rows
        bytes += "]);\n".utf8
        try sink.write(ShardWriter.path("documents", files), bytes)
        files += 1
        inFile = 0
        rows.removeAll(keepingCapacity: true)
        pages = Names()
        authors = Names()
    }

    /// Texts that are written once in a file.
    private struct Names {
        private var numbers: [String: Int] = [:]
        private var texts: [String] = []

        mutating func number(of text: String) -> Int {
            if let number = numbers[text] { return number }
            numbers[text] = texts.count
            texts.append(text)
            return texts.count - 1
        }

        var script: String { "[" + texts.map(JavaScriptText.quoted).joined(separator: ",") + "]" }
    }
}
