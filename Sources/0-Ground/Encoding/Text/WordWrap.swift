/// Breaks text into lines of a terminal, by its columns.
package enum WordWrap {
    /// Lines of at most `width` columns. A piece that is wider has a line of its own: nothing is broken inside.
    ///
    /// - Parameters:
    ///   - pieces: what stays together, such as words. One space is between two of them.
    ///   - start: what the first line begins with.
    ///   - hanging: how many spaces the others begin with.
    package static func lines(
        of pieces: [Substring], after start: String = "", width: Int, hanging: Int
    ) -> [String] {
        var lines: [String] = []
        var (line, used, isEmpty) = (start, DisplayWidth.of(start), true)
        for piece in pieces {
            let next = DisplayWidth.of(String(piece))
            if !isEmpty, !piece.isEmpty, used + 1 + next > width {
                lines.append(withoutEnd(line))
                (line, used, isEmpty) = (String(repeating: " ", count: hanging), hanging, true)
            }
            line += isEmpty ? "\(piece)" : " \(piece)"
            used += isEmpty ? next : 1 + next
            isEmpty = false
        }
        return lines + [line]
    }

    private static func withoutEnd(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
