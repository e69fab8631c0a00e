import Fuzzing
import ValiseChatSchema
import ValiseEncoding

@testable import ValiseChatLog

/// Contents of items, lines of exports, and words of statuses, whoever wrote them.
enum ContentFuzzing {
    // The first byte says what the rest is. Kept inputs begin with it, so readers are only added at the end.
    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch choice % 4 {
        case 0: line(rest)
        case 1: content(rest)
        case 2: chat(rest)
        default: statuses(String(decoding: rest, as: UTF8.self))
        }
    }

    /// The content as the database has it.
    private static func content(_ bytes: [UInt8]) {
        let stored = String(decoding: bytes, as: UTF8.self)
        let content = ItemContent(parsing: stored)
        FuzzRun.require(content.message == nil || content.kind != nil, "a message has a kind")
        guard let quoted = try? JSONText.encode(stored) else { return }
        var text = #"{"type":"chatItem","id":"k","row":1,"author":{"id":"a","name":"Kim"},"#
        text += #""time":"2025-03-01T10:00:00Z","text":"readable","storedContent":\#(quoted)}"#
        line(Array(text.utf8))
    }

    /// A line of an export: what is read is written so that it is read as the same, and every form can show it.
    private static func line(_ bytes: [UInt8]) {
        guard let item = JSONNode(parsing: bytes).flatMap({ ConversationItem($0) }) else { return }
        var writer = JSONLineWriter()
        let line = writer.line(of: item, in: "group-1")
        FuzzRun.require(
            line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")), "a line is one")
        guard let again = JSONNode(parsing: Array(line.dropLast())).flatMap({ ConversationItem($0) }) else {
            return FuzzRun.require(false, "a line is read again: \(String(decoding: line, as: UTF8.self))")
        }
        // Content is passed on as the database has it, with any space in it, and is compact when it was read from a line.
        let compact = writer.line(of: again, in: "group-1")
        let last = JSONNode(parsing: Array(compact.dropLast())).flatMap { ConversationItem($0) }
        FuzzRun.require(
            last.map { writer.line(of: $0, in: "group-1") == compact } ?? false,
            "a line is written as the same again: \(String(decoding: compact, as: UTF8.self))")
        ShownItem.check(item)
    }

    private static func chat(_ bytes: [UInt8]) {
        guard let conversation = JSONNode(parsing: bytes).flatMap({ Conversation($0) }) else { return }
        var writer = JSONLineWriter()
        let line = writer.line(of: conversation)
        guard let again = JSONNode(parsing: Array(line.dropLast())).flatMap({ Conversation($0) }) else {
            return FuzzRun.require(false, "a chat is read again: \(String(decoding: line, as: UTF8.self))")
        }
        FuzzRun.require(
            writer.line(of: again) == line,
            "a chat is written as the same again: \(String(decoding: line, as: UTF8.self))")
    }

    private static func statuses(_ text: String) {
        FuzzRun.require(ItemStatus(parsing: text) == ItemStatus(parsing: text), "a status is the same again")
        _ = (MemberItemStatus(parsing: text).receipt, FileStatus(parsing: text).presence)
        _ = ItemTime(text).jsonText
    }
}
