package import ValiseDatabase
import ValiseEncoding

/// Aligned columns for a user. The first rows decide the widths; on a terminal, longer text is cut. Where even the names of
/// the columns do not fit, each row is a block of lines.
package final class TableRows: RowWriter {
    private let output: (String) throws -> Void
    private let width: Int?
    private var columns: [String] = []
    private var widths: [Int] = []
    private var waiting: [[Value]] = []
    private var isShown = false
    private var showsBlocks = false
    private var hasBlock = false

    /// How many rows decide the widths.
    private static let sample = 200
    private static let gap = "  "
    private static let narrowest = 4
    /// The lines above the first row.
    private static let heads = 2
    /// Of a record's names.
    private static let nameWidth = 11

    /// - Parameters:
    ///   - width: of the terminal; nil for a file or pipe, where nothing is cut.
    ///   - output: gets the lines.
    package init(width: Int?, _ output: @escaping (String) throws -> Void) {
        self.output = output
        self.width = width
    }

    /// A table of rows that are all known; nothing in it is cut where no width is given.
    package static func text(
        _ columns: [String], _ rows: [[Value]], width: Int? = nil
    ) throws -> String {
        var text = ""
        let table = TableRows(width: width) { text += $0 }
        try table.begin(columns)
        try rows.forEach(table.write)
        try table.end()
        while text.last == "\n" { text.removeLast() }
        return text
    }

    /// A table whose cells are whole. Where it is wider than the terminal, each row is a record: its first value, and a line
    /// for each other one that is not empty.
    ///
    /// - Parameters:
    ///   - width: of the terminal; nil for a file or pipe.
    ///   - flexible: the column that is cut on a terminal so that the others fit.
    ///   - title: stands before the first value of a record.
    ///   - remarks: for each row a line below it; empty for none.
    package static func completeTable(
        _ columns: [String], _ rows: [[Value]], width: Int?, flexible: Int? = nil, title: String = "",
        remarks: [String] = []
    ) throws -> String {
        var rows = rows
        if let width, let flexible { cut(flexible, of: &rows, below: columns, to: width) }
        let lines = try text(columns, rows).split(separator: "\n").map(String.init)
        let notes = rows.indices.map { remarks.indices.contains($0) ? TableCell.escaped(remarks[$0]) : "" }
        if let width, lines.contains(where: { DisplayWidth.of($0) > width }) {
            let records = zip(rows, notes).map { row, note in
                var record = row.isEmpty ? "" : title + TableCell.text(row[0])
                for (name, value) in zip(columns, row).dropFirst() where value != .text("") {
                    let field = TableCell.fitted(name, nameWidth, isCut: false)
                    record += "\n  \(field) \(TableCell.text(value))"
                }
                return note.isEmpty ? record : "\(record)\n  \(note)"
            }
            return records.joined(separator: "\n\n")
        }
        let noted = zip(lines.dropFirst(heads), notes).map { $1.isEmpty ? $0 : "\($0)\n     \($1)" }
        return (Array(lines.prefix(heads)) + noted).joined(separator: "\n")
    }

    /// The narrowest that a column is cut to beside whole ones.
    private static let narrowestBesideOthers = 8

    private static func cut(
        _ column: Int, of rows: inout [[Value]], below columns: [String], to width: Int
    ) {
        var room = width - gap.count * (columns.count - 1)
        for index in columns.indices where index != column {
            let widths = rows.map { DisplayWidth.of(TableCell.text($0[index])) }
            room -= max(DisplayWidth.of(columns[index]), widths.max() ?? 0)
        }
        guard room >= narrowestBesideOthers else { return }
        for row in rows.indices {
            let text = TableCell.text(rows[row][column])
            guard DisplayWidth.of(text) > room else { continue }
            rows[row][column] = .text(TableCell.fitted(text, room, isCut: true))
        }
    }

    package func begin(_ columns: [String]) throws {
        self.columns = columns.map { TableCell.escaped($0) }
    }

    package func write(_ row: [Value]) throws {
        if isShown { return try show(row) }
        waiting.append(row)
        if waiting.count == Self.sample { try showWaiting() }
    }

    package func end() throws {
        if !isShown { try showWaiting() }
    }

    private func showWaiting() throws {
        isShown = true
        widths = columns.map { DisplayWidth.of($0) }
        for row in waiting {
            for (index, value) in row.enumerated() {
                widths[index] = max(widths[index], DisplayWidth.of(TableCell.text(value)))
            }
        }
        if let width {
            fit(width)
            showsBlocks = !waiting.isEmpty && !columnsFit(width)
        }
        if !showsBlocks { try showHeads() }
        for row in waiting { try show(row) }
        waiting = []
    }

    private func showHeads() throws {
        try line(zip(columns, widths).map { TableCell.fitted($0, $1, isCut: width != nil) })
        try line(widths.map { String(repeating: "-", count: $0) })
    }

    private func columnsFit(_ width: Int) -> Bool {
        let gaps = Self.gap.count * max(widths.count - 1, 0)
        return widths.reduce(gaps, +) <= width
            && zip(columns, widths).allSatisfy { DisplayWidth.of($0) <= $1 }
    }

    /// Takes from the widest columns until the line fits.
    private func fit(_ width: Int) {
        let available = max(width - 1 - Self.gap.count * (widths.count - 1), widths.count * Self.narrowest)
        var limit = widths.max() ?? 0
        while limit > Self.narrowest, widths.reduce(0, { $0 + min($1, limit) }) > available { limit -= 1 }
        widths = widths.map { min($0, limit) }
    }

    /// The name and the value of each column, the first one at the margin.
    private func showBlock(_ row: [Value]) throws {
        if hasBlock { try output("\n") }
        hasBlock = true
        let longest = columns.map { DisplayWidth.of($0) }.max() ?? 0
        for (index, (name, value)) in zip(columns, row).enumerated() {
            let indent = index == 0 ? "" : Self.gap
            let field = TableCell.fitted(indent + name, Self.gap.count + longest, isCut: false)
            try output("\(field) \(TableCell.text(value))\n")
        }
    }

    private func show(_ row: [Value]) throws {
        if showsBlocks { return try showBlock(row) }
        try line(
            zip(row, widths).map { value, column in
                TableCell.fitted(
                    TableCell.text(value), column, isCut: width != nil, isRight: TableCell.isNumber(value))
            })
    }

    private func line(_ cells: [String]) throws {
        var text = cells.joined(separator: Self.gap)
        while text.last == " " { text.removeLast() }
        try output(text + "\n")
    }
}

/// One value in a table.
enum TableCell {
    private static let longestBlob = 16

    static func text(_ value: Value) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .real(let number): return "\(number)"
        case .text(let text): return escaped(text)
        case .blob(let bytes):
            let rest = bytes.count > longestBlob ? "… (\(Count.bytes(Int64(bytes.count))))" : ""
            return "x'\(Hexadecimal.encode(bytes.prefix(longestBlob)))'\(rest)"
        }
    }

    static func isNumber(_ value: Value) -> Bool {
        switch value {
        case .integer, .real: true
        case .null, .text, .blob: false
        }
    }

    /// Nothing in a database may drive the terminal or break the line.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            case _ where scalar.isControl:
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    static func fitted(_ text: String, _ width: Int, isCut: Bool, isRight: Bool = false) -> String {
        let own = DisplayWidth.of(text)
        guard own > width else {
            let padding = String(repeating: " ", count: width - own)
            return isRight ? padding + text : text + padding
        }
        return isCut ? DisplayWidth.cut(text, to: width) : text
    }
}
