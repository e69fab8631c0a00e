import Valise

/// What a comparison found, for a user: the first side is A, the second B.
struct ArchiveDiffText {
    private let report: ComparisonReport
    private static let mostLines = 10

    init(_ report: ComparisonReport) {
        self.report = report
    }

    var text: String {
        var lines = [side("A", report.first), side("B", report.second)]
        lines += report.entries.flatMap(entries)
        lines += mediaNotes
        for database in report.databases { lines += DatabaseDiffText(database).lines }
        if let messages = report.messages { lines += MessageDiffText(messages).lines }
        lines.append(RelationText(report).sentence)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func side(_ letter: String, _ side: ComparisonReport.Side) -> String {
        let kind = side.isArchive ? "archive" : "account"
        var text = "\(letter): \(side.path) (\(kind), \(ByteCount.text(side.size)))"
        if !side.folded.isEmpty { text += ", with a journal folded in on a copy" }
        if !side.leftOut.isEmpty {
            text += "; \(Count.text(side.leftOut.count, "file")) that no archive could hold not compared"
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
            "  cannot be read in \($0.isInFirst ? "A" : "B"): \($0.name): \($0.message)"
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
                ? "\(name): \(first), the same on both sides" : "\(name): \(first), \(basis)"
        }
        var parts = ["\(first) in A, \(second) in B", "\(entries.identical) the same"]
        if report.identity == .checksum, entries.identical > 0 {
            parts[1] = "\(entries.identical) of the \(basis)"
        }
        if !entries.onlyInFirst.isEmpty { parts.append("\(entries.onlyInFirst.count) only in A") }
        if !entries.onlyInSecond.isEmpty { parts.append("\(entries.onlyInSecond.count) only in B") }
        if !entries.different.isEmpty { parts.append("\(entries.different.count) different") }
        if !entries.sameContent.isEmpty {
            parts.append("\(entries.sameContent.count) with the same content, encrypted otherwise")
        }
        if !entries.unreadable.isEmpty { parts.append("\(entries.unreadable.count) not readable") }
        return "\(name): " + parts.joined(separator: ", ")
    }

    /// What the sameness of entries rests on.
    private var basis: String {
        let bothAreArchives = report.first.isArchive && report.second.isArchive
        return bothAreArchives
            ? "same size and CRC-32 in the directories; contents not read"
            : "same size and CRC-32 as in the directory; contents of the archive not read"
    }

    private static func words(_ how: SameContent) -> String {
        switch how {
        case .otherKey: "encrypted under another key"
        case .encryptedInFirst: "encrypted in A only"
        case .encryptedInSecond: "encrypted in B only"
        }
    }

    private var mediaNotes: [String] {
        let differs = report.entries.contains { $0.role == .media && !$0.different.isEmpty }
        guard differs, !report.mediaLookedInto,
            !report.databases.contains(where: { $0.database == .chat && $0.state == .identical })
        else { return [] }
        return ["  files that differ may hold the same content under another key; that takes the passphrases"]
    }

    /// The first few, and how many more there are.
    static func list<Item>(_ list: BoundedList<Item>, _ line: (Item) -> String) -> [String] {
        var lines = list.items.prefix(mostLines).map(line)
        let rest = list.count - lines.count
        if rest > 0 { lines.append("  … and \(rest) more") }
        return lines
    }
}

/// The last line: what the two are to each other.
struct RelationText {
    private let report: ComparisonReport

    init(_ report: ComparisonReport) {
        self.report = report
    }

    var sentence: String {
        let first = report.messages?.first.only ?? 0
        let second = report.messages?.second.only ?? 0
        switch report.relation {
        case .identical:
            return "this is the same account at the same moment" + files
        case .sameMessages: return "the messages are the same; other things differ" + laterNote
        case .changedMessages:
            return "both have the same messages; \(messages(report.messages?.changed ?? 0)) changed"
                + laterNote
        case .secondContinues: return continuation("B", "A", more: second, gone: first)
        case .firstContinues: return continuation("A", "B", more: first, gone: second)
        case .secondHasMore:
            return surplus("B", "A", more: second, newer: report.messages?.newerInSecond ?? 0)
        case .firstHasMore:
            return surplus("A", "B", more: first, newer: report.messages?.newerInFirst ?? 0)
        case .diverged:
            return "they have diverged: \(messages(first)) only in A, \(messages(second)) only in B"
        case .differentAccounts: return "these are two different accounts"
        case .unknown:
            return "what they are to each other cannot be told: the messages were not compared"
        }
    }

    /// What else differs where all rows are the same.
    private var files: String {
        let others = report.entries.filter { $0.role != .database }
        let differ = others.contains {
            !$0.onlyInFirst.isEmpty || !$0.onlyInSecond.isEmpty || !$0.different.isEmpty
        }
        let unread = report.unreadable
        return (differ ? ", with other files" : "")
            + (unread > 0 ? "; \(Count.text(unread, "file")) could not be read" : "")
    }

    private var laterNote: String {
        switch report.later {
        case .first: "; A is the later one"
        case .second: "; B is the later one"
        case .both: "; both went on since they were alike"
        case .unknown: ""
        }
    }

    /// One has more, and nothing tells why.
    private func surplus(_ larger: String, _ smaller: String, more: Int, newer: Int) -> String {
        let age = newer == 0 ? "none of them newer" : newer == more ? "all newer" : "\(newer) of them newer"
        let reason =
            newer == 0
            ? "they were deleted in \(smaller), or added to \(larger)"
            : "\(larger) is the continuation of \(smaller), or they were deleted in \(smaller)"
        return "every message of \(smaller) is in \(larger), and \(messages(more)) more, \(age): \(reason)"
    }

    private func continuation(_ later: String, _ earlier: String, more: Int, gone: Int) -> String {
        let start = "\(later) is the continuation of \(earlier): "
        guard gone > 0 else {
            return start + "every message of \(earlier) is in \(later), and \(messages(more)) more"
        }
        return start
            + "\(more == 0 ? "no message" : messages(more)) more; \(messages(gone)) of \(earlier) \(gone == 1 ? "is" : "are") gone"
    }

    private func messages(_ count: Int) -> String { Count.text(count, "message") }
}
