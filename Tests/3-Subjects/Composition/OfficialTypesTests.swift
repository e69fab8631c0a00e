import Foundation
import TestPeers
import Testing
import ValiseChatSchema
import ValiseComposition
import ValiseEncoding

/// Messages against the official types, and against contents that the official program wrote.
struct OfficialTypesTests {
    private static let types: String? = {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? "\(environment["HOME"] ?? "")/.cache"
        let folder = "\(cache)/valise/simplex-chat/types"
        return FileManager.default.fileExists(atPath: "\(folder)/_types.py") ? folder : nil
    }()

    private struct Line: Encodable {
        struct Chat: Encodable {
            let chatType: String
            let chatId: Int
        }

        let command: String
        let kind: String
        let chat: Chat
        let item: Int64?
        let ttl: Int?
        let live: Bool
    }

    private static func lines() throws -> [Line] {
        var lines: [Line] = []
        let encrypted = ComposedFile(path: "a/b", encryption: .init(key: "k", nonce: "n"))
        var all = ComposeCase.states.map(\.value)
        all.append([.filePicked(encrypted), .textChanged("with \"quotes\" and \u{1F600}\n")])
        let chats: [(ComposeChat, String)] = [
            (ComposeChat(.contact, id: 2), "direct"), (ComposeCase.group, "group"),
            (ComposeCase.notes, "local"),
        ]
        for events in all {
            let state = ComposeCase.made(events)
            for (number, (chat, type)) in chats.enumerated() {
                let ttl = number == 1 ? 60 : nil
                for message in state.composedMessages(ComposeCase.policy) {
                    let command = try #require(
                        OutgoingMessage.commands([message], in: chat, lifetime: ttl).first)
                    let target = Line.Chat(chatType: type, chatId: Int(chat.id))
                    switch message {
                    case .new(_, let isLive):
                        lines.append(
                            Line(
                                command: command, kind: "send", chat: target, item: nil, ttl: ttl,
                                live: isLive))
                    case .update(let update, let isLive):
                        lines.append(
                            Line(
                                command: command, kind: "update", chat: target, item: update.item, ttl: nil,
                                live: isLive))
                    case .forward, .report: break
                    }
                }
            }
        }
        return lines
    }

    @Test(.enabled(if: types != nil && OtherProgram.isThere("python3")))
    func `commands are of the official types, and what the official functions make`() throws {
        let encoder = JSONEncoder()
        let lines = try Self.lines()
        #expect(lines.count > 40)
        let input = try lines.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
        let python = try #require(OtherProgram("python3"))
        let script = Repository.beside("Fixtures/official_types.py").path
        let (status, output) = try python.run([script, try #require(Self.types)], input: input)
        #expect(status == 0 && output == "\(lines.count)\n", "\(output)")
    }

    /// Of `shared/vectors/chat-log`: the messages among the items.
    private static let contents: [MessageContent] = {
        let path = Repository.url("Tests/2-Formats/ChatSchema/Fixtures/chat-log/items.jsonl")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line -> MessageContent? in
            guard let stored = JSONNode(parsing: String(line))?["item_content"]?.textValue,
                let content = JSONNode(parsing: stored)?.sum?.fields["msgContent"]
            else { return nil }
            return MessageContent(content)
        }
    }()

    @Test func `contents of the official program are made again, byte for byte`() throws {
        var kinds: Set<String> = []
        for content in Self.contents {
            let made: MessageContent? =
                switch content.type {
                case "text": .text(content.text)
                case "link": content.link.map { .link(content.text, preview: $0) }
                case "image": .image(content.text, preview: content.fields["image"]?.textValue ?? "")
                case "video":
                    .video(
                        content.text, preview: content.fields["image"]?.textValue ?? "",
                        seconds: Int(content.duration ?? 0))
                case "voice": .voice(content.text, seconds: Int(content.duration ?? 0))
                case "file": .file(content.text)
                case "report": .report(content.text, reason: content.reason ?? "")
                case "chat": content.chatLink.map { .chat(content.text, link: $0) }
                default: nil
                }
            guard let made else { continue }
            kinds.insert(content.type)
            #expect(made.json == content.json)
        }
        #expect(kinds.isSuperset(of: ["text", "link", "image", "video", "voice", "file", "report", "chat"]))
    }

    @Test func `an item that is edited keeps everything but its text`() {
        for content in Self.contents where !["voice", "report"].contains(content.type) {
            let item = ComposeItem(id: 5, content: content, isSent: true, time: ComposeCase.now)
            guard item.editingRefusal(ComposeCase.policy) == nil else { continue }
            let state = ComposeCase.made([.edited(item)])
            #expect(state.isUnchangedEdit, "\(content.json)")
            let changed = ComposeState.reduce(state, .textChanged(state.message + "!"), ComposeCase.policy)
                .state
            #expect(!changed.isUnchangedEdit, "\(content.json)")
        }
    }
}
