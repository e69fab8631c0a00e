import ValiseEncoding
import ValiseSessionStore

/// What changed in a group, as a sentence without its subject. The programs store an object, or words.
struct SessionGroupChange {
    let text: String

    init(_ stored: String, _ authors: SessionAuthors) {
        guard let members = JSONNode(parsing: stored)?.objectValue else {
            text = stored.isEmpty ? "changed the group" : "changed the group: \(stored)"
            return
        }
        let changes = members.compactMap { Self.text($0, authors) }
        text = changes.isEmpty ? "changed the group" : changes.joined(separator: "; ")
    }

    private static func text(_ member: JSONNode.Member, _ authors: SessionAuthors) -> String? {
        if let ids = member.value.arrayValue?.map(\.textValue), !ids.contains(nil) {
            guard !ids.isEmpty else { return nil }
            return list(member.key, authors.list(ids.compactMap(\.self)))
        }
        switch (member.key, member.value) {
        case (_, .null), (_, .bool(false)): return nil
        case ("name", .text(let name)): return "changed the group's name to \(name)"
        case ("avatarChange", .bool(true)): return "changed the group's picture"
        default: return "changed the group: \(JSONNode.object([member]).jsonText)"
        }
    }

    private static func list(_ key: String, _ names: String) -> String {
        switch key {
        case "joined", "joinedWithHistory": "added \(names)"
        case "kicked", "removed": "removed \(names)"
        case "left": "reported that \(names) left"
        case "promoted": "promoted \(names) to admin"
        default: "changed the group: \(key) \(names)"
        }
    }
}
