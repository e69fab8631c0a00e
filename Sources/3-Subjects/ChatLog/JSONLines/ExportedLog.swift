package import SystemPackage
import ValiseChatSchema
import ValiseConcurrency
package import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// The conversations of an earlier export, read from its JSON lines, without the account.
package struct ExportedLog: ConversationSource {
    /// Of the conversations, in the folder of the export.
    package static let listName = "conversations.jsonl"
    /// Where the items are, a file a conversation.
    package static let itemsFolder = "items"

    package let folder: FilePath
    package let program: String
    /// When it was last brought up to date; as RFC 3339 has it.
    package let exportedAt: String
    package let redacted: [String]
    private let list: [Conversation]
    /// The numbers of the lines of the list that cannot be read.
    private let damagedLines: [Int]
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - folder: of the export.
    ///   - fileSystem: where it is read.
    /// - Throws: `FileError`: `notFound` where there is none, `unsupported` for another format, `newer` for one of a later
    ///   version.
    package init(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        self.folder = folder
        self.fileSystem = fileSystem
        let path = folder.appending(Self.listName)
        var lines = try LineReader(path, fileSystem)
        guard let first = try lines.next(), let header = JSONNode(parsing: Array(first)),
            header["type"]?.textValue == "chatLog", let version = header["version"]?.integerValue
        else { throw FileError(.unsupported, "not a list of exported chats", path) }
        guard version <= JSONLineWriter.version else {
            throw FileError(.newer, "exported by a newer version: format \(version)", path)
        }
        program = header["program"]?.textValue ?? "unknown"
        exportedAt = header["exportedAt"]?.textValue ?? ""
        redacted = (header["redacted"]?.arrayValue ?? []).compactMap(\.textValue)
        var (list, damagedLines): ([Conversation], [Int]) = ([], [])
        var number = 1
        while let line = try lines.next() {
            number += 1
            if let conversation = JSONNode(parsing: Array(line)).flatMap({ Conversation($0) }) {
                list.append(conversation)
            } else {
                damagedLines.append(number)
            }
        }
        (self.list, self.damagedLines) = (list, damagedLines)
    }

    /// Whether a folder holds an export.
    package static func isThere(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError)
        -> Bool
    {
        try fileSystem.attributes(of: folder.appending(listName))?.kind == .regular
    }

    package func users() throws -> [LogUser] {
        var users: [LogUser] = []
        for conversation in list where !users.contains(where: { $0.id == conversation.user }) {
            users.append(
                LogUser(
                    id: conversation.user, name: conversation.userName, isActive: users.isEmpty,
                    isHidden: conversation.hiding == .hiddenProfile))
        }
        return users
    }

    package func conversations(
        includesHidden: Bool, damaged: (DatabaseError) throws -> Void
    ) throws -> [Conversation] {
        for number in damagedLines {
            try damaged(
                Self.damage("line \(number) cannot be read as a chat", folder.appending(Self.listName)))
        }
        return includesHidden ? list : list.filter { $0.hiding != .hiddenProfile }
    }

    package func forEachItem(
        of conversation: Conversation, newest: Int64?, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        guard let newest else { return try forEachItem(of: conversation, damaged: damaged, body) }
        // A ring of the last ones.
        var last: [ConversationItem] = []
        var count = 0
        try forEachItem(of: conversation, damaged: damaged) { item in
            if last.count < newest {
                last.append(item)
            } else if newest > 0 {
                last[count % Int(newest)] = item
            }
            count += 1
        }
        let start = last.count < newest || newest <= 0 ? 0 : count % Int(newest)
        for item in last[start...] + last[..<start] { try body(item) }
    }

    /// The items of a conversation whose lines may have what is searched: others are not parsed.
    /// - Throws: as ``forEachItem(of:newest:damaged:_:)``.
    package func forEachItem(
        of conversation: Conversation, mayMatch query: TextQuery, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        try forEachLine(of: conversation, isWanted: { query.mayMatch(line: $0) }, damaged: damaged) {
            item, _ in
            try body(item)
        }
    }

    /// How many items are handed over at a time.
    private static let batch = 128

    /// Lines are parsed on a thread of their own, ahead of who works on the items: both take about as long.
    private func forEachItem(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        guard conversation.items > Self.batch else {
            return try forEachLine(of: conversation, damaged: damaged) { item, _ in try body(item) }
        }
        typealias Parsed = Result<ConversationItem, DatabaseError>
        try ReadAhead.run { [self] (add: @Sendable ([Parsed]) throws -> Void) in
            var parsed: [Parsed] = []
            func keep(_ item: Parsed) throws {
                parsed.append(item)
                guard parsed.count == Self.batch else { return }
                try add(parsed)
                parsed = []
            }
            try forEachLine(of: conversation, damaged: { try keep(.failure($0)) }) { item, _ in
                try keep(.success(item))
            }
            try add(parsed)
        } _: { parsed in
            for item in parsed {
                switch item {
                case .success(let item): try body(item)
                case .failure(let error): try damaged(error)
                }
            }
        }
    }

    package func forEachOutline(
        of conversation: Conversation, damaged: (DatabaseError) throws -> Void,
        _ body: (ItemOutline) throws -> Void
    ) throws {
        var ordinal: Int64 = 0
        try forEachLine(of: conversation, damaged: damaged) { item, offset in
            try body(ItemOutline(item, at: ItemPosition(ordinal: ordinal, offset: offset)))
            ordinal += 1
        }
    }

    package func forEachItem(
        of conversation: Conversation, from place: ItemPosition, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        try forEachLine(of: conversation, from: place.offset, damaged: damaged) { item, _ in try body(item) }
    }

    /// - Parameters:
    ///   - isWanted: whether a line is read at all.
    ///   - body: gets each item, and where its line begins.
    private func forEachLine(
        of conversation: Conversation, from offset: Int64 = 0,
        isWanted: (ArraySlice<UInt8>) -> Bool = { _ in true }, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem, Int64) throws -> Void
    ) throws {
        let path = Self.itemsPath(of: conversation.key, in: folder)
        guard try fileSystem.exists(path) else {
            return try damaged(Self.damage("the messages of this chat are missing", path))
        }
        var lines = try LineReader(path, fileSystem, from: offset)
        var number = 0
        var start = offset
        while let line = try lines.next() {
            number += 1
            defer { start = lines.position }
            // What does not even look like an item is damaged, whatever is searched.
            guard isWanted(line) || line.first != UInt8(ascii: "{") || line.last != UInt8(ascii: "}") else {
                continue
            }
            if let item = JSONNode(parsing: Array(line)).flatMap({ ConversationItem($0) }) {
                try body(item, start)
            } else {
                try damaged(Self.damage("line \(number) cannot be read as a message", path))
            }
        }
    }

    /// The message names the file: reports have no other subject.
    private static func damage(_ message: String, _ path: FilePath) -> DatabaseError {
        DatabaseError(
            .damaged, "\(path.lastComponent?.string ?? ""): \(message)", file: path.string, isOfRow: true)
    }

    /// The file with the items of a conversation.
    static func itemsPath(of key: String, in folder: FilePath) -> FilePath {
        folder.appending(itemsFolder).appending("\(key).jsonl")
    }
}
