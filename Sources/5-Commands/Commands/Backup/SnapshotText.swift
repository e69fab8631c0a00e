import Valise
import ValiseEncoding
import ValiseTerminal

/// Snapshots for a user.
enum SnapshotText {
    /// One line: which, of what, when and where.
    static func title(_ snapshot: SnapshotSketch) -> String {
        let tags = snapshot.tags.isEmpty ? "" : " [\(snapshot.tags.joined(separator: ", "))]"
        let place = snapshot.hostname.isEmpty ? "" : " on \(snapshot.hostname)"
        return "snapshot \(snapshot.shortID) of \(snapshot.minute)\(place)\(tags)".withoutControls
    }

    /// Lines with aligned columns.
    /// - Parameter rightAligned: columns of numbers.
    static func table(_ rows: [[String]], rightAligned: Set<Int>) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                line +=
                    (column == 0 ? "" : "  ") + (rightAligned.contains(column) ? space + cell : cell + space)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The first failures of entries, on standard error.
    static func complain(_ failures: [EntryFailure]) {
        let lines = FirstLines.of(failures, of: failures.count, indent: "") {
            "\($0.entry): \($0.reason.sentence)"
        }
        for line in lines { StandardStreams.complain(line.withoutControls) }
        for hint in RemedyCommand.notes(failures.compactMap(\.reason.remedy)) {
            StandardStreams.printError(hint.withoutControls)
        }
    }
}
