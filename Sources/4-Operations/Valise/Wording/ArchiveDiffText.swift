package import ValiseAccountArchives
import ValiseAccounts
import ValiseEncoding

/// The result of a comparison for a user: the first side is A, the second B.
package struct ArchiveDiffText {
    private let report: ComparisonReport
    private static let mostLines = 10

    package init(report: ComparisonReport) { self.report = report }

    /// Some lines: each side, entries, databases, messages, and how they are related.
    package var text: String {
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
        var text = "\(letter): \(side.path) (\(kind), \(Count.bytes(side.size)))"
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
        lines += Self.list(entries.onlyInFirst) { "  only in A: \($0.name) (\(Count.bytes($0.size)))" }
        lines += Self.list(entries.onlyInSecond) { "  only in B: \($0.name) (\(Count.bytes($0.size)))" }
        lines += Self.list(entries.different) { entry in
            let sizes =
                entry.firstSize == entry.secondSize
                ? "" : " (\(Count.bytes(entry.firstSize)) in A, \(Count.bytes(entry.secondSize)) in B)"
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
