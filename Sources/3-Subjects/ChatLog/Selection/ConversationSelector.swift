import ValiseFailures

/// Names conversations: `@name` a contact, `#name` a group, `*` notes, `contact-4` by its key, `/expression/` all whose names
/// match, and a bare name whatever has it.
package struct ConversationSelector: Sendable, Equatable {
    private enum Form: Sendable, Equatable {
        case contact(String), group(String), notes, key(String), expression(String), name(String)
    }

    private let form: Form
    /// As it was given.
    package let text: String

    /// - Returns: nil for an expression that is none.
    package init?(_ text: String) {
        self.text = text
        if text.count > 2, text.first == "/", text.last == "/" {
            let expression = String(text.dropFirst().dropLast())
            guard (try? Regex(expression)) != nil else { return nil }
            form = .expression(expression)
        } else if text.first == "@", text.count > 1 {
            form = .contact(String(text.dropFirst()).lowercased())
        } else if text.first == "#", text.count > 1 {
            form = .group(String(text.dropFirst()).lowercased())
        } else if text == "*" || text.lowercased() == "*notes" {
            form = .notes
        } else if ConversationKey(text) != nil {
            form = .key(text)
        } else {
            guard !text.isEmpty else { return nil }
            form = .name(text.lowercased())
        }
    }

    /// The conversations that it names, in their order.
    package func matches(in conversations: [Conversation]) -> [Conversation] {
        let expression: Regex<AnyRegexOutput>? =
            if case .expression(let text) = form { try? Regex(text).ignoresCase() } else { nil }
        let found = conversations.filter { matches($0, expression) }
        // The name that is unique on this device settles which of several is meant.
        let exact = found.filter { isLocalName(of: $0) }
        return exact.count == 1 ? exact : found
    }

    private func matches(_ conversation: Conversation, _ expression: Regex<AnyRegexOutput>?) -> Bool {
        let names = [conversation.name.lowercased(), conversation.localName.lowercased()]
        switch form {
        case .key(let key): return conversation.key == key
        case .notes: return conversation.kind == .notes
        case .contact(let name): return conversation.kind == .contact && names.contains(name)
        case .group(let name):
            return [.group, .business, .channel].contains(conversation.kind) && names.contains(name)
        // Keys of other programs have no form of their own.
        case .name(let name):
            return conversation.kind != .support && names.contains(name) || conversation.key == name
        case .expression:
            guard let expression else { return false }
            return conversation.name.contains(expression) || conversation.localName.contains(expression)
        }
    }

    private func isLocalName(of conversation: Conversation) -> Bool {
        switch form {
        case .contact(let name), .group(let name), .name(let name):
            conversation.localName.lowercased() == name
        case .notes, .key, .expression: false
        }
    }

    /// Whether it may name several.
    package var namesSeveral: Bool {
        if case .expression = form { true } else { false }
    }
}
