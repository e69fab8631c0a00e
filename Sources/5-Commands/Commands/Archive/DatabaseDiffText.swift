import Valise
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
        var lines = ["\(name): \(database.differentTables) of \(count) differ"]
        lines += database.schema.map(schema) ?? []
        lines += ArchiveDiffText.list(database.tablesOnlyInFirst) { "  table only in A: \(lone($0))" }
        lines += ArchiveDiffText.list(database.tablesOnlyInSecond) { "  table only in B: \(lone($0))" }
        lines += database.tables.items.filter { !$0.isSame }.map(line)
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

    private func line(_ table: TableComparison) -> String {
        var parts = ["\(Count.text(table.firstRows, "row")) in A, \(table.secondRows) in B"]
        if table.onlyInFirst > 0 {
            parts.append("\(table.onlyInFirst) only in A\(ids(table.idsOnlyInFirst))")
        }
        if table.onlyInSecond > 0 {
            parts.append("\(table.onlyInSecond) only in B\(ids(table.idsOnlyInSecond))")
        }
        if table.changed > 0 { parts.append("\(table.changed) changed\(ids(table.idsChanged))") }
        let columns =
            table.columnsOnlyInFirst.map { "\($0) (A)" } + table.columnsOnlyInSecond.map { "\($0) (B)" }
        if !columns.isEmpty {
            parts.append("columns on one side only, not compared: \(columns.joined(separator: ", "))")
        }
        if let problem = table.problem { parts.append("not compared: \(problem)") }
        return "  \(table.name): " + parts.joined(separator: ", ")
    }

    private func ids(_ ranges: BoundedList<RowRange>) -> String {
        guard !ranges.isEmpty else { return "" }
        let shown = ranges.items.prefix(5).map {
            $0.first == $0.last ? "\($0.first)" : "\($0.first)–\($0.last)"
        }
        let rest = ranges.count > 5 ? ", …" : ""
        return " (id \(shown.joined(separator: ", "))\(rest))"
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
        lines += ArchiveDiffText.list(messages.chats, self.line)
        lines.append("  newest: \(first.newest ?? "unknown") in A, \(second.newest ?? "unknown") in B")
        return lines
    }

    private func line(_ chat: MessageComparison.Chat) -> String {
        var parts: [String] = []
        if chat.first.only > 0 { parts.append("\(chat.first.only) only in A\(ids(chat.first))") }
        if chat.second.only > 0 { parts.append("\(chat.second.only) only in B\(ids(chat.second))") }
        if chat.changed > 0 { parts.append("\(chat.changed) changed") }
        return "  \(name(chat)): " + parts.joined(separator: ", ")
    }

    private func name(_ chat: MessageComparison.Chat) -> String {
        let sign =
            switch chat.kind {
            case .contact: "@"
            case .group: "#"
            case .notes, .none: ""
            }
        let name = chat.name ?? (chat.kind == .none ? "no chat" : "\(chat.kind.rawValue) \(chat.id)")
        return sign + name + (chat.otherName.map { " (in B: \($0))" } ?? "")
    }

    private func ids(_ side: MessageComparison.Side) -> String {
        guard let lowest = side.lowestOnly, let highest = side.highestOnly else { return "" }
        let ids = lowest == highest ? "id \(lowest)" : "ids \(lowest) to \(highest)"
        return " (\(ids))"
    }
}
