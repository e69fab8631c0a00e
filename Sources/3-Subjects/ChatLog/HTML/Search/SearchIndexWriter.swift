import ValiseChatSchema

/// Writes the search index as parts that pages load with script elements: the only way from a file.
///
/// Words are collected up to a limit, written to temporary files in their order, and merged in the end.
struct SearchIndexWriter {
    private let sink: any PageSink
    private let spill: any SpillStore
    private var scanner = WordScanner()
    private var postings: PostingBuffer
    private var documents: DocumentWriter
    private var runs = 0
    private var count: UInt32 = 0
    private var folder = ""
    private var conversations: [(name: String, kind: String, first: UInt32)] = []

    /// Pairs of a word and a document that are in memory, some 20 bytes each.
    static let mostPostings = 1_000_000
    private static let writeSize = 1 << 20

    /// - Parameter capacity: how many pairs of a word and a document are in memory.
    init(sink: any PageSink, spill: any SpillStore, capacity: Int = mostPostings) {
        self.sink = sink
        self.spill = spill
        postings = PostingBuffer(capacity: capacity)
        documents = DocumentWriter(sink: sink)
    }

    /// Begins a conversation, whose documents follow.
    mutating func begin(_ conversation: Conversation, folder: String) {
        self.folder = folder
        conversations.append((PageValues.line(conversation.name), conversation.kind.rawValue, count))
    }

    /// Adds an item.
    mutating func add(_ item: ConversationItem, page: String, minutes: Int64) throws {
        let text = Self.text(of: item)
        guard !text.isEmpty else { return }
        let document = count
        count += 1
        scanner.forEachWord(in: text) { postings.add($0, document) }
        try documents.add(
            DocumentWriter.Document(
                folder: folder, page: page, key: item.key,
                author: item.author.isSelf ? "You" : PageValues.line(item.author.name),
                minutes: minutes, isDeleted: item.deletion != nil, text: text))
        if postings.isFull { try spillPostings() }
    }

    /// What can be found of an item: what is read, and names of files and titles of links.
    private static func text(of item: ConversationItem) -> String {
        var text = item.message == nil ? EventText.sentence(of: item) : item.text
        if let title = item.message?.link?.title, !title.isEmpty { text += "\n\(title)" }
        if let file = item.file?.name, !file.isEmpty { text += text.isEmpty ? file : "\n\(file)" }
        return text
    }

    /// Writes the parts that are not written yet and the table of all parts.
    mutating func finish() throws {
        try spillPostings()
        try documents.finish()
        var shards = ShardWriter(sink: sink)
        try merge(into: &shards)
        try shards.finish()
        try sink.write("search/index.js", table(shards.firstWords))
    }

    // MARK: Words

    private mutating func spillPostings() throws {
        guard !postings.isEmpty else { return }
        var bytes: [UInt8] = []
        let (run, spill) = (runs, spill)
        try postings.drain { word, documents in
            PostingRecord.append(word, documents, to: &bytes)
            guard bytes.count >= Self.writeSize else { return }
            try spill.append(bytes, to: run)
            bytes.removeAll(keepingCapacity: true)
        }
        if !bytes.isEmpty { try spill.append(bytes, to: run) }
        runs += 1
    }

    /// The documents of a word in a later run are later ones.
    private func merge(into shards: inout ShardWriter) throws {
        var readers = try (0..<runs).map { try PostingRunReader(spill, run: $0) }
        while let word = Self.leastWord(readers) {
            var merged: [UInt8] = []
            var last: UInt32?
            for index in readers.indices {
                guard let record = readers[index].record, record.word == word else { continue }
                PostingCode.append(last.map { record.first - $0 } ?? record.first + 1, to: &merged)
                merged += record.rest
                last = record.last
                try readers[index].advance()
            }
            try shards.add(word, merged)
        }
    }

    private static func leastWord(_ readers: [PostingRunReader]) -> [UInt8]? {
        var least: [UInt8]?
        for reader in readers {
            guard let word = reader.record?.word else { continue }
            if least.map({ word.lexicographicallyPrecedes($0) }) ?? true { least = word }
        }
        return least
    }

    // MARK: Table

    private func table(_ firstWords: [String]) -> [UInt8] {
        var bytes = Array(
            "valise.index({count:\(count),perFile:\(DocumentWriter.perFile),perFolder:256,".utf8)
        bytes += "mostScalars:\(WordScanner.mostScalars),folds:\(scanner.folds.script),\nfirst:[".utf8
        bytes += firstWords.map(JavaScriptText.quoted).joined(separator: ",").utf8
        bytes += "],\nconversations:[".utf8
        bytes +=
            conversations.map {
                "[\(JavaScriptText.quoted($0.name)),\(JavaScriptText.quoted($0.kind)),\($0.first)]"
            }
            .joined(separator: ",").utf8
        bytes += "]});\n".utf8
        return bytes
    }
}
