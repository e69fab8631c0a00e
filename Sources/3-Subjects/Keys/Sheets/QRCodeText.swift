import ValiseFailures
package import ValiseSecrets

/// A QR code as lines of text, for a terminal.
package enum QRCodeText {
    /// The most bytes that a code holds.
    package static let longest = QRCode.longest

    /// A code of half blocks, two rows in a line: dark on light whatever the terminal's colors are, by its escape
    /// sequences for black and white.
    ///
    /// - Throws: ``RecoverySheetError``: `invalid` for more than ``longest`` bytes, `failed` when the encoder fails.
    package static func lines(_ content: borrowing SecretBytes) throws -> [String] {
        let code = try QRCode(content, .low)
        let margin = QRCodeImage.margin
        let side = code.width + 2 * margin
        var isDark = [Bool](repeating: false, count: side * (side + 1))
        code.forEachRun { row, start, length in
            for column in start..<start + length {
                isDark[(row + margin) * side + column + margin] = true
            }
        }
        return stride(from: 0, to: side, by: 2).map { row in
            let cells = (0..<side).map { column -> String in
                switch (isDark[row * side + column], isDark[(row + 1) * side + column]) {
                case (true, true): " "
                case (true, false): "\u{2584}"
                case (false, true): "\u{2580}"
                case (false, false): "\u{2588}"
                }
            }
            return colors.set + cells.joined() + colors.reset
        }
    }

    private static let colors = (set: "\u{1b}[97;40m", reset: "\u{1b}[0m")

    /// How many columns of a terminal such lines take.
    package static func columns(of lines: [String]) -> Int {
        // Codes are square, and have an odd number of rows; a line shows two.
        max(0, 2 * lines.count - 1)
    }
}
