package import ValiseEncoding

/// What a message says: the same object in items, quotes, versions and automatic answers.
public struct MessageContent: Sendable, Equatable {
    /// The kind of message, such as `text` or `voice`; a word that is not known is kept.
    public let type: String
    /// The message's own text: of a picture its caption.
    public let text: String
    /// The whole object, with fields that are not known.
    package let fields: JSONNode

    init(type: String, text: String, fields: JSONNode) {
        self.type = type
        self.text = text
        self.fields = fields
    }

    /// Nil where it is no message, or a message of a known type that lacks a field.
    package init?(_ node: JSONNode) {
        guard let type = node["type"]?.textValue else { return nil }
        let text = node["text"]?.textValue
        // Texts are most of all.
        if type != "text", let shape = Self.shapes[type] {
            guard text != nil, shape.fits(node) else { return nil }
        } else if type == "text", text == nil {
            return nil
        }
        self.type = type
        self.text = text ?? "unknown message type"
        fields = node
    }

    /// Reads the text of a column, such as `quoted_content`.
    package init?(parsing text: String) {
        guard let node = JSONNode(parsing: text) else { return nil }
        self.init(node)
    }

    /// What the fields of the known types must be, besides the text.
    private static let shapes: [String: FieldShape] = [
        "link": .object([
            "preview": .object(["uri": .text, "title": .text, "description": .text, "image": .text])
        ]),
        "image": .object(["image": .text]),
        "video": .object(["image": .text, "duration": .integer]),
        "voice": .object(["duration": .integer]),
        "file": .empty,
        "report": .object(["reason": .text]),
        "chat": .object(["chatLink": .empty]),
    ]
}

extension MessageContent {
    /// The preview of a picture or a video as a `data:` address; nil where there is none.
    public var image: String? { fields["image"]?.textValue.flatMap { $0.isEmpty ? nil : $0 } }

    /// Of a video or a voice message, in seconds.
    public var duration: Int64? { fields["duration"]?.integerValue }

    /// Why a message is reported; a word that is not known is kept.
    public var reason: String? { fields["reason"]?.textValue }

    /// The text that is searched, and shown where the message cannot be: that of the column `item_text`.
    public var readableText: String {
        switch type {
        case "voice":
            let shown = "voice message (\(Self.minutes(duration ?? 0)))"
            return text.isEmpty ? shown : "\(shown); \(text)"
        case "report":
            let shown = "report \(reason ?? "")"
            return text.isEmpty ? shown : "\(shown): \(text)"
        default: return text
        }
    }

    /// Minutes and seconds; there are no hours.
    private static func minutes(_ duration: Int64) -> String {
        let (minutes, seconds) = max(0, duration).quotientAndRemainder(dividingBy: 60)
        func digits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(digits(minutes)):\(digits(seconds))"
    }
}
