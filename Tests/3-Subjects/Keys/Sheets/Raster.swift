/// Lines of half blocks, white on black, as pixels.
struct Raster {
    private(set) var rows: [[Bool]] = []
    var width: Int { rows.first?.count ?? 0 }

    struct Strange: Error { let text: String }

    init(_ lines: [String]) throws {
        for line in lines {
            guard line.hasPrefix("\u{1b}[97;40m"), line.hasSuffix("\u{1b}[0m") else {
                throw Strange(text: line)
            }
            let cells = line.dropFirst(8).dropLast(4)
            let dark = try cells.map { cell -> (Bool, Bool) in
                switch cell {
                case " ": (true, true)
                case "\u{2584}": (true, false)
                case "\u{2580}": (false, true)
                case "\u{2588}": (false, false)
                default: throw Strange(text: String(cell))
                }
            }
            rows.append(dark.map(\.0))
            rows.append(dark.map(\.1))
        }
    }

    /// A bitmap in text (PBM).
    func bitmap(scale: Int) -> String {
        var text = "P1\n\(width * scale) \(rows.count * scale)\n"
        for row in rows {
            let line = row.map { String(repeating: $0 ? "1 " : "0 ", count: scale) }.joined() + "\n"
            for _ in 0..<scale { text += line }
        }
        return text
    }
}
