package import ValiseAccountArchives
import ValiseEncoding

extension TableComparison {
    /// How its rows differ, in one sentence; A is the first database.
    package var sentence: String {
        var parts = ["\(Count.text(firstRows, "row")) in A, \(secondRows) in B"]
        if onlyInFirst > 0 {
            parts.append("\(onlyInFirst) only in A\(ids(idsOnlyInFirst))")
        }
        if onlyInSecond > 0 {
            parts.append("\(onlyInSecond) only in B\(ids(idsOnlyInSecond))")
        }
        if changed > 0 { parts.append("\(changed) changed\(ids(idsChanged))") }
        let columns =
            columnsOnlyInFirst.map { "\($0) (A)" } + columnsOnlyInSecond.map { "\($0) (B)" }
        if !columns.isEmpty {
            parts.append("columns on one side only, not compared: \(columns.joined(separator: ", "))")
        }
        if let problem { parts.append("not compared: \(problem)") }
        return "\(name): " + parts.joined(separator: ", ")
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

extension MessageComparison.Chat {
    /// How its messages differ, in one sentence; A is the first account.
    package var sentence: String {
        var parts: [String] = []
        if first.only > 0 { parts.append("\(first.only) only in A\(ids(first))") }
        if second.only > 0 { parts.append("\(second.only) only in B\(ids(second))") }
        if changed > 0 { parts.append("\(changed) changed") }
        return "\(shownName): " + parts.joined(separator: ", ")
    }

    private var shownName: String {
        let sign =
            switch kind {
            case .contact: "@"
            case .group: "#"
            case .notes, .none: ""
            }
        let name = self.name ?? (kind == .none ? "no chat" : "\(kind.rawValue) \(id)")
        return sign + name + (otherName.map { " (in B: \($0))" } ?? "")
    }

    private func ids(_ side: MessageComparison.Side) -> String {
        guard let lowest = side.lowestOnly, let highest = side.highestOnly else { return "" }
        let ids = lowest == highest ? "id \(lowest)" : "ids \(lowest) to \(highest)"
        return " (\(ids))"
    }
}
