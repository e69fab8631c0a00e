/// The sheet as one SVG image; several pages are below each other.
struct SVGCanvas: SheetCanvas {
    private var writer: SheetWriter
    private var page = 0

    init(_ writer: SheetWriter, pages: Int) {
        self.writer = writer
        let (width, height) = (Int(SheetMetrics.pageWidth), Int(SheetMetrics.pageHeight) * pages)
        self.writer.text(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="\(297 * pages)mm" \
            viewBox="0 0 \(width) \(height)">
            <title>Recovery sheet</title>
            <rect width="\(width)" height="\(height)" fill="#fff"/>

            """)
    }

    mutating func beginPage() {
        writer.text("<g transform=\"translate(0 \(Int(SheetMetrics.pageHeight) * page))\">\n")
        page += 1
    }

    mutating func endPage() { writer.text("</g>\n") }

    /// Returns how many bytes the file has.
    mutating func finish() throws(RecoverySheetError) -> Int {
        writer.text("</svg>\n")
        return try writer.finish()
    }

    // MARK: Drawing

    private mutating func attribute(_ name: String, _ value: Double) {
        writer.text(" \(name)=\"")
        writer.number(value)
        writer.text("\"")
    }

    private mutating func fill(_ gray: Double) {
        let level = Int((gray * 255).rounded())
        writer.text(" fill=\"rgb(\(level),\(level),\(level))\"")
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: TextStyle) {
        writer.text("<text font-family=\"Helvetica, Arial, sans-serif\"")
        if style.isBold { writer.text(" font-weight=\"bold\"") }
        attribute("font-size", style.size)
        attribute("x", x)
        attribute("y", y)
        fill(style.gray)
        writer.text(">")
        for byte in text.utf8 { show(byte) }
        writer.text("</text>\n")
    }

    private mutating func show(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): writer.text("&amp;")
        case UInt8(ascii: "<"): writer.text("&lt;")
        case UInt8(ascii: ">"): writer.text("&gt;")
        // XML has no way to write these, and a folder may have them in its name.
        case 0..<0x20, 0x7F: writer.text("?")
        default: writer.byte(byte)
        }
    }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, gray: Double) {
        writer.text("<rect")
        attribute("x", x)
        attribute("y", y)
        attribute("width", width)
        attribute("height", height)
        fill(gray)
        writer.text("/>\n")
    }

    mutating func signs(
        _ line: PassphraseLayout.Line, of layout: PassphraseLayout, _ bytes: UnsafeRawBufferPointer,
        _ x: Double, _ y: Double
    ) {
        // Each run of signs has its own place, so that the font's width matters little; librsvg knows no
        // lists of places. The content is the signs alone.
        writer.text("<text class=\"passphrase\" font-family=\"Courier, 'Courier New', monospace\"")
        attribute("font-size", SheetMetrics.signSize)
        attribute("y", y)
        writer.text(" xml:space=\"preserve\">")
        var (next, isBold): (Int, Bool?) = (-1, nil)
        unsafe layout.forEachSign(of: line, bytes) { sign, column in
            if column != next || sign.isDigit != isBold {
                writer.text(next >= 0 ? "</tspan><tspan" : "<tspan")
                if sign.isDigit { writer.text(" font-weight=\"bold\"") }
                attribute("x", x + Double(column) * SheetMetrics.signWidth)
                writer.text(">")
            }
            show(sign)
            (next, isBold) = (column + 1, sign.isDigit)
        }
        writer.text("</tspan></text>\n")
        unsafe spaceMarks(line, of: layout, bytes, x, y)
    }

    mutating func code(_ code: borrowing QRCode, _ x: Double, _ y: Double, size: Double) {
        let scale = String((size / Double(code.width) * 10_000).rounded() / 10_000)
        writer.text("<path shape-rendering=\"crispEdges\" transform=\"translate(")
        writer.numbers(x, y)
        writer.text(") scale(\(scale))\" d=\"")
        code.forEachRun { row, start, length in
            writer.text("M\(start) \(row)h\(length)v1h-\(length)z")
        }
        writer.text("\"/>\n")
    }
}
