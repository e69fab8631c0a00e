import ValiseAccountArchives
import ValiseAccounts
import ValiseEncoding

/// How two databases differ, for a user.
struct DatabaseDiffText {
    let database: DatabaseComparison

    var lines: [String] {
        let name = "\(database.database.rawValue) database"
        switch database.state {
        case .identical: return ["\(name): identical bytes"]
        case .notCompared:
            return ["\(name): bytes differ; rows not compared: \(database.reason ?? "")"]
        case .unreadable: return ["\(name): unreadable: \(database.reason ?? "")"]
        case .onlyInFirst: return ["\(name): only in A"]
        case .onlyInSecond: return ["\(name): only in B"]
        case .inNeither: return ["\(name): missing on both sides"]
        case .compared: break
        }
        let count = Count.text(database.tables.count, "table")
        if database.isSame { return ["\(name): different bytes, same rows in \(count)"] }
        var lines = ["\(name): differences in \(database.differentTables) of \(count)"]
        lines += database.schema.map(schema) ?? []
        lines += ArchiveDiffText.list(database.tablesOnlyInFirst) { "  table only in A: \(lone($0))" }
        lines += ArchiveDiffText.list(database.tablesOnlyInSecond) { "  table only in B: \(lone($0))" }
        lines += database.tables.items.filter { !$0.isSame }.map { "  \($0.sentence)" }
        return lines
    }

    private func lone(_ table: DatabaseComparison.LoneTable) -> String {
        table.rows.map { "\(table.name), \(Count.text(Int($0), "row"))" } ?? table.name
    }

    private func schema(_ schema: SchemaComparison) -> [String] {
        var lines: [String] = []
        if schema.firstUserVersion != schema.secondUserVersion {
            lines.append("  user_version: \(schema.firstUserVersion) in A, \(schema.secondUserVersion) in B")
        }
        let missing = [("A", schema.migrationsOnlyInSecond), ("B", schema.migrationsOnlyInFirst)]
        for (letter, names) in missing where !names.isEmpty {
            let shown = names.items.prefix(5).joined(separator: ", ")
            let rest = names.count > 5 ? ", … and \(names.count - 5) more" : ""
            lines.append("  \(letter) lacks \(Count.text(names.count, "migration")): \(shown)\(rest)")
        }
        lines += ArchiveDiffText.list(schema.objectsOnlyInFirst) { "  only in A: \($0)" }
        lines += ArchiveDiffText.list(schema.objectsOnlyInSecond) { "  only in B: \($0)" }
        lines += ArchiveDiffText.list(schema.objectsDifferent) { "  declared differently: \($0)" }
        return lines
    }
}

/// How messages differ, for a user.
struct MessageDiffText {
    let messages: MessageComparison

    var lines: [String] {
        let (first, second) = (messages.first, messages.second)
        guard !messages.isSame else { return ["messages: \(first.count) identical"] }
        var line = "messages: \(first.count) in A, \(second.count) in B, \(messages.shared) in both"
        if messages.changed > 0 { line += ", \(messages.changed) of them changed" }
        if messages.reusedIDs > 0 {
            line += "; \(Count.text(messages.reusedIDs, "ID")) used for different messages"
        }
        var lines = [line]
        lines += ArchiveDiffText.list(messages.chats) { "  \($0.sentence)" }
        lines.append("  newest: \(first.newest ?? "unknown") in A, \(second.newest ?? "unknown") in B")
        return lines
    }
}
