/// What can be drawn, in points from the upper left corner of a page of A4.
protocol SheetCanvas {
    mutating func beginPage()
    mutating func endPage()

    /// Text that is not secret.
    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: TextStyle)

    /// A filled rectangle.
    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, gray: Double)

    /// One line of the passphrase.
    mutating func signs(
        _ line: PassphraseLayout.Line, of layout: PassphraseLayout, _ bytes: UnsafeRawBufferPointer,
        _ x: Double, _ y: Double)

    /// The QR code, `size` points wide, without its quiet zone.
    mutating func code(_ code: borrowing QRCode, _ x: Double, _ y: Double, size: Double)
}

/// How a text looks.
struct TextStyle {
    var size: Double
    var isBold = false
    var gray = 0.0

    static let title = TextStyle(size: 26, isBold: true)
    static let heading = TextStyle(size: 12, isBold: true)
    static let body = TextStyle(size: 10)
    static let label = TextStyle(size: 10, gray: 0.4)
    static let number = TextStyle(size: 7.5, gray: 0.5)
}

/// The measures of the page and of the passphrase's signs.
enum SheetMetrics {
    static let pageWidth = 595.0
    static let pageHeight = 842.0
    static let margin = 56.0
    static let textWidth = pageWidth - 2 * margin
    /// Of a sign of the passphrase; Courier's are 0.6 of it wide.
    static let signSize = 14.0
    static let signWidth = signSize * 0.6
    static let lineHeight = 24.0
}

extension SheetCanvas {
    /// The mark of a space, an open box below the line, in the column that starts at `x`.
    mutating func spaceMark(_ x: Double, _ y: Double) {
        let (width, height, stroke) = (SheetMetrics.signWidth - 2.4, 4.0, 0.9)
        rectangle(x + 1.2, y + 1, width, stroke, gray: 0.15)
        rectangle(x + 1.2, y + 1 - height, stroke, height, gray: 0.15)
        rectangle(x + 1.2 + width - stroke, y + 1 - height, stroke, height, gray: 0.15)
    }

    mutating func spaceMarks(
        _ line: PassphraseLayout.Line, of layout: PassphraseLayout, _ bytes: UnsafeRawBufferPointer,
        _ x: Double, _ y: Double
    ) {
        unsafe layout.forEachSign(of: line, bytes) { sign, column in
            if sign == UInt8(ascii: " ") { spaceMark(x + Double(column) * SheetMetrics.signWidth, y) }
        }
    }
}

extension UInt8 {
    /// Digits are drawn bold, so that 0 and O, 1 and l differ.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
