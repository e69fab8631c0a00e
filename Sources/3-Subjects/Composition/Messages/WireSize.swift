import CValiseZstd
import ValiseChatSchema
import ValiseEncoding
import ValiseMediaRules

/// How large a message is on its way, where there is a limit for it.
///
/// What the chat program adds is counted at its usual length: versions, identifiers and times. So a message that is a few bytes
/// below the limit may be refused by it.
public struct WireSize: Sendable, Equatable {
    /// Bytes of the JSON.
    public let json: Int
    /// Bytes of the JSON in a frame of zstd.
    public let compressed: Int

    /// - Parameters:
    ///   - message: what is sent.
    ///   - item: what it answers; nil for nothing.
    public init(of message: OutgoingMessage, answering item: ComposeItem?) {
        let text = Array(Self.envelope(of: message, answering: item).jsonText.utf8)
        json = text.count
        compressed = Self.compressedSize(of: text)
    }

    /// Bytes of the JSON alone.
    static func json(of message: OutgoingMessage, answering item: ComposeItem?) -> Int {
        envelope(of: message, answering: item).jsonText.utf8.count
    }

    /// Why it is too large; nil where it is not.
    ///
    /// - Parameter policy: whether messages are compressed in that chat.
    public func refusal(_ policy: ComposePolicy) -> ComposeRefusal? {
        guard policy.compresses else {
            let limit = MessageLimits.wireBytes
            return json > limit ? .messageTooLarge(size: json, limit: limit) : nil
        }
        if json > MessageLimits.unpackedBytes {
            return .messageTooLarge(size: json, limit: MessageLimits.unpackedBytes)
        }
        // What is small enough as it is goes uncompressed.
        let limit = MessageLimits.compressedWireBytes
        return min(json, compressed) > limit ? .messageTooLarge(size: compressed, limit: limit) : nil
    }

    private static func compressedSize(of text: [UInt8]) -> Int {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(text.count))
        let size = unsafe ZSTD_compress(&output, output.count, text, text.count, level)
        // It never fails with as much space and memory as this.
        return ZSTD_isError(size) == 0 ? size : text.count
    }

    /// That of the official programs.
    private static let level: Int32 = 3

    // MARK: The envelope

    private static let identifier = String(repeating: "A", count: 16)
    private static let time = "2026-01-01T00:00:00.000000000Z"

    private static func envelope(of message: OutgoingMessage, answering item: ComposeItem?) -> JSONNode {
        switch message {
        case .new(let composed, let isLive):
            envelope("x.msg.new", new(composed, isLive: isLive, answering: item))
        case .update(let updated, let isLive):
            envelope("x.msg.update", [.init("msgId", .text(identifier))] + update(updated, isLive: isLive))
        case .forward: envelope("x.msg.new", [])
        case .report(_, let reason, let text):
            envelope("x.msg.new", [.init("content", MessageContent.report(text, reason: reason).fields)])
        }
    }

    private static func envelope(_ event: String, _ parameters: [JSONNode.Member]) -> JSONNode {
        .object([
            .init("v", .text("1-17")), .init("msgId", .text(identifier)), .init("event", .text(event)),
            .init("params", .object(parameters)),
        ])
    }

    private static func new(
        _ message: ComposedMessage, isLive: Bool, answering item: ComposeItem?
    ) -> [JSONNode.Member] {
        var members = [JSONNode.Member("content", message.content.fields)]
        if message.quote != nil, let item { members.append(.init("quote", quote(item, in: message.content))) }
        if let file = message.file { members.append(.init("file", invitation(file))) }
        return members + common(message.mentions, isLive: isLive)
    }

    private static func update(_ message: UpdatedMessage, isLive: Bool) -> [JSONNode.Member] {
        [.init("content", message.content.fields)] + common(message.mentions, isLive: isLive)
    }

    private static func common(_ mentions: [String: Int64], isLive: Bool) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        if isLive { members.append(.init("live", .bool(true))) }
        if !mentions.isEmpty {
            let member = JSONNode.object([.init("memberId", .text(identifier))])
            members.append(.init("mentions", .object(mentions.keys.map { .init($0, member) })))
        }
        return members
    }

    /// What is itself large quotes words only, and a picture or a file without words is quoted by its name.
    private static func quote(_ item: ComposeItem, in content: MessageContent) -> JSONNode {
        let isPlain = ["text", "voice", "file", "report"].contains(content.type)
        let words = item.content.text.isEmpty ? item.file?.name ?? "" : item.content.text
        let quoted = isPlain ? item.content.with(text: words) : .text(words)
        return .object([
            .init(
                "msgRef",
                .object([
                    .init("msgId", .text(identifier)), .init("sentAt", .text(time)),
                    .init("sent", .bool(item.isSent)),
                    .init("memberId", .text(identifier)),
                ])), .init("content", quoted.fields),
        ])
    }

    private static func invitation(_ file: ComposedFile) -> JSONNode {
        .object([
            .init("fileName", .text(file.name)), .init("fileSize", .number(String(file.size ?? 0))),
            .init(
                "fileDescr",
                .object([
                    .init("fileDescrText", .text("")), .init("fileDescrPartNo", .number("0")),
                    .init("fileDescrComplete", .bool(false)),
                ])),
        ])
    }
}
