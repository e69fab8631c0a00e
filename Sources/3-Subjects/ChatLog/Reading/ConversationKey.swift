package import ValiseChatSchema

/// The name of a conversation that stays the same in all exports of an account: its kind and its row.
package struct ConversationKey: Sendable, Equatable {
    package let scope: ItemScope

    /// - Parameter scope: where its items are.
    package init(_ scope: ItemScope) { self.scope = scope }

    /// - Returns: nil for what is no such name.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { Int64($0) }
        switch (parts.first, numbers.count, numbers.first ?? nil) {
        case ("contact", 1, let id?): scope = .contact(id)
        case ("group", 1, let id?): scope = .group(id)
        case ("notes", 1, let id?): scope = .notes(id)
        case ("support", 1, let id?): scope = .support(group: id, member: nil)
        case ("support", 2, let id?):
            guard let member = numbers[1] else { return nil }
            scope = .support(group: id, member: member)
        default: return nil
        }
    }

    /// Such as `contact-4`.
    package var text: String {
        switch scope {
        case .contact(let id): "contact-\(id)"
        case .group(let id): "group-\(id)"
        case .notes(let id): "notes-\(id)"
        case .support(let group, nil): "support-\(group)"
        case .support(let group, let member?): "support-\(group)-\(member)"
        }
    }
}
