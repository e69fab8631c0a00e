import Valise
import ValiseEncoding

/// The result of a comparison for a user: the first side is A, the second B.
struct ArchiveDiffText {
    let report: ComparisonReport
    private static let mostLines = 10

    var text: String {
        var lines = [side("A", report.first), side("B", report.second)]
        lines += report.entries.flatMap(entries)
        lines += mediaNotes
        for database in report.databases { lines += DatabaseDiffText(database: database).lines }
        if let messages = report.messages { lines += MessageDiffText(messages: messages).lines }
        lines.append(RelationText(report: report).sentence)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func side(_ letter: String, _ side: ComparisonReport.Side) -> String {
        let kind = side.isArchive ? "archive" : "account"
        var text = "\(letter): \(side.path) (\(kind), \(ByteCount.text(side.size)))"
        if !side.folded.isEmpty { text += ", journal applied to a copy" }
        if !side.leftOut.isEmpty {
            text += "; not compared: \(Count.text(side.leftOut.count, "file")) that no archive can hold"
        }
        return text
    }

    // MARK: Entries

    private func entries(_ entries: EntryComparison) -> [String] {
        guard entries.first.count + entries.second.count > 0, entries.role != .database else { return [] }
        var lines = [summary(entries)]
        lines += Self.list(entries.onlyInFirst) { "  only in A: \($0.name) (\(ByteCount.text($0.size)))" }
        lines += Self.list(entries.onlyInSecond) { "  only in B: \($0.name) (\(ByteCount.text($0.size)))" }
        lines += Self.list(entries.different) { entry in
            let sizes =
                entry.firstSize == entry.secondSize
                ? "" : " (\(ByteCount.text(entry.firstSize)) in A, \(ByteCount.text(entry.secondSize)) in B)"
            return "  differs: \(entry.name)\(sizes)"
        }
        lines += Self.list(entries.sameContent) { "  same content, \(Self.words($0.how)): \($0.name)" }
        lines += Self.list(entries.unreadable) {
            "  unreadable in \($0.isInFirst ? "A" : "B"): \($0.name): \($0.message)"
        }
        return lines
    }

    private func summary(_ entries: EntryComparison) -> String {
        let name =
            switch entries.role {
            case .database: "databases"
            case .media: "media"
            case .wallpaper: "wallpapers"
            case .other: "other entries"
            }
        let (first, second) = (entries.first.count, entries.second.count)
        guard !entries.isSame || !entries.sameContent.isEmpty else {
            return report.identity == .bytes
                ? "\(name): \(first) identical" : "\(name): \(first) with the \(basis)"
        }
        var parts = ["\(first) in A, \(second) in B", "\(entries.identical) identical"]
        if report.identity == .checksum, entries.identical > 0 {
            parts[1] = "\(entries.identical) with the \(basis)"
        }
        if !entries.onlyInFirst.isEmpty { parts.append("\(entries.onlyInFirst.count) only in A") }
        if !entries.onlyInSecond.isEmpty { parts.append("\(entries.onlyInSecond.count) only in B") }
        if !entries.different.isEmpty { parts.append("\(entries.different.count) different") }
        if !entries.sameContent.isEmpty {
            parts.append("\(entries.sameContent.count) with the same content, encrypted differently")
        }
        if !entries.unreadable.isEmpty { parts.append("\(entries.unreadable.count) unreadable") }
        return "\(name): " + parts.joined(separator: ", ")
    }

    /// The criterion for identical entries.
    private var basis: String {
        let bothAreArchives = report.first.isArchive && report.second.isArchive
        return bothAreArchives
            ? "same size and CRC-32 (contents not read)"
            : "same size and CRC-32 (archive contents not read)"
    }

    private static func words(_ how: SameContent) -> String {
        switch how {
        case .otherKey: "encrypted with a different key"
        case .encryptedInFirst: "encrypted in A only"
        case .encryptedInSecond: "encrypted in B only"
        }
    }

    private var mediaNotes: [String] {
        let differs = report.entries.contains { $0.role == .media && !$0.different.isEmpty }
        guard differs, !report.mediaLookedInto,
            !report.databases.contains(where: { $0.database == .chat && $0.state == .identical })
        else { return [] }
        return ["  files with different keys may have the same content; checking that needs the passphrases"]
    }

    /// The first few, and how many more there are.
    static func list<Item>(_ list: BoundedList<Item>, _ line: (Item) -> String) -> [String] {
        var lines = list.items.prefix(mostLines).map(line)
        let rest = list.count - lines.count
        if rest > 0 { lines.append("  … and \(rest) more") }
        return lines
    }
}

/// The last line: how the two are related.
struct RelationText {
    let report: ComparisonReport

    var sentence: String {
        let first = report.messages?.first.only ?? 0
        let second = report.messages?.second.only ?? 0
        switch report.relation {
        case .identical:
            return "A and B are the same account in the same state" + files
        case .sameMessages: return "same messages; other data differs" + laterNote
        case .changedMessages:
            return "same messages, \(report.messages?.changed ?? 0) of them changed" + laterNote
        case .secondContinues: return continuation("B", "A", more: second, gone: first)
        case .firstContinues: return continuation("A", "B", more: first, gone: second)
        case .secondHasMore:
            return surplus("B", "A", more: second, newer: report.messages?.newerInSecond ?? 0)
        case .firstHasMore:
            return surplus("A", "B", more: first, newer: report.messages?.newerInFirst ?? 0)
        case .diverged:
            return "A and B have diverged: \(messages(first)) only in A, \(messages(second)) only in B"
        case .differentAccounts: return "A and B are different accounts"
        case .unknown:
            return "cannot tell how A and B are related: messages not compared"
        }
    }

    /// Other differences if all rows are the same.
    private var files: String {
        let others = report.entries.filter { $0.role != .database }
        let differ = others.contains {
            !$0.onlyInFirst.isEmpty || !$0.onlyInSecond.isEmpty || !$0.different.isEmpty
        }
        let unread = report.unreadable
        return (differ ? ", but with different files" : "")
            + (unread > 0 ? "; \(Count.text(unread, "file")) unreadable" : "")
    }

    private var laterNote: String {
        switch report.later {
        case .first: "; A is newer"
        case .second: "; B is newer"
        case .both: "; both have changed since they split"
        case .unknown: ""
        }
    }

    /// One has more messages, for an unknown reason.
    private func surplus(_ larger: String, _ smaller: String, more: Int, newer: Int) -> String {
        let age = newer == 0 ? "none of them newer" : newer == more ? "all newer" : "\(newer) of them newer"
        let reason =
            newer == 0
            ? "they were deleted in \(smaller) or added to \(larger)"
            : "\(larger) continues \(smaller), or they were deleted in \(smaller)"
        return "\(larger) has all messages of \(smaller) and \(more) more, \(age): \(reason)"
    }

    private func continuation(_ later: String, _ earlier: String, more: Int, gone: Int) -> String {
        let start = "\(later) continues \(earlier): "
        guard gone > 0 else { return start + "it has all messages of \(earlier) and \(more) more" }
        let added = more == 0 ? "no new messages" : Count.text(more, "new message")
        return start + "\(added), \(messages(gone)) of \(earlier) deleted"
    }

    private func messages(_ count: Int) -> String { Count.text(count, "message") }
}
