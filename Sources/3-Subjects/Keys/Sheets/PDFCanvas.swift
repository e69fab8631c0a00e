/// The sheet as a PDF of version 1.4 with the fonts that every reader has.
///
/// Written by hand: a page of text and rectangles needs a few dozen lines, and a library would keep copies of
/// the passphrase that nobody wipes.
struct PDFCanvas: SheetCanvas {
    private var writer: SheetWriter
    private let pages: Int
    private var offsets: [Int] = []
    private var streamStart = 0

    private static let fonts = ["Helvetica", "Helvetica-Bold", "Courier", "Courier-Bold"]
    /// Catalog, pages, information, fonts.
    private static let firstPage = 4 + fonts.count
    /// The page, its content, the length of that.
    private static let objectsOfPage = 3

    init(_ writer: SheetWriter, pages: Int) {
        self.writer = writer
        self.pages = pages
        self.writer.text("%PDF-1.4\n%\u{e9}\u{e8}\n")
        object("<</Type/Catalog/Pages 2 0 R/Lang(en)>>")
        let kids = (0..<pages).map { "\(Self.firstPage + $0 * Self.objectsOfPage) 0 R" }
        object("<</Type/Pages/Count \(pages)/Kids[\(kids.joined(separator: " "))]>>")
        object("<</Title(Recovery sheet)/Producer(Valise)>>")
        for font in Self.fonts {
            object("<</Type/Font/Subtype/Type1/BaseFont/\(font)/Encoding/WinAnsiEncoding>>")
        }
    }

    private mutating func object(_ body: String) {
        offsets.append(writer.count)
        writer.text("\(offsets.count) 0 obj\n\(body)\nendobj\n")
    }

    mutating func beginPage() {
        let content = offsets.count + 2
        let fonts = Self.fonts.indices.map { "/F\($0) \(4 + $0) 0 R" }.joined()
        let box = "[0 0 \(Int(SheetMetrics.pageWidth)) \(Int(SheetMetrics.pageHeight))]"
        object(
            "<</Type/Page/Parent 2 0 R/MediaBox\(box)/Resources<</Font<<\(fonts)>>>>/Contents \(content) 0 R>>"
        )
        offsets.append(writer.count)
        writer.text("\(content) 0 obj\n<</Length \(content + 1) 0 R>>\nstream\n")
        streamStart = writer.count
    }

    mutating func endPage() {
        let length = writer.count - streamStart
        writer.text("\nendstream\nendobj\n")
        object(String(length))
    }

    /// Writes the table of objects. Returns how many bytes the file has.
    mutating func finish() throws(RecoverySheetError) -> Int {
        let start = writer.count
        writer.text("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
        for offset in offsets {
            let digits = String(offset)
            writer.text(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
        }
        writer.text("trailer\n<</Size \(offsets.count + 1)/Root 1 0 R/Info 3 0 R>>\n")
        writer.text("startxref\n\(start)\n%%EOF\n")
        return try writer.finish()
    }

    // MARK: Drawing

    private func up(_ y: Double) -> Double { SheetMetrics.pageHeight - y }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: TextStyle) {
        writer.number(style.gray)
        writer.text(" g BT /F\(style.isBold ? 1 : 0) ")
        writer.number(style.size)
        writer.text(" Tf ")
        writer.numbers(x, up(y))
        writer.text("Td (")
        for scalar in text.unicodeScalars { show(scalar) }
        writer.text(") Tj ET\n")
    }

    /// The fonts have the letters of Latin-1; others are told by their number.
    private mutating func show(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0xFF: show(UInt8(scalar.value))
        default: for byte in "\\u{\(String(scalar.value, radix: 16))}".utf8 { show(byte) }
        }
    }

    private mutating func show(_ byte: UInt8) {
        if [UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\")].contains(byte) {
            writer.byte(UInt8(ascii: "\\"))
        }
        writer.byte(byte)
    }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, gray: Double) {
        writer.numbers(gray)
        writer.text("g ")
        writer.numbers(x, up(y + height), width, height)
        writer.text("re f\n")
    }

    mutating func signs(
        _ line: PassphraseLayout.Line, of layout: PassphraseLayout, _ bytes: UnsafeRawBufferPointer,
        _ x: Double, _ y: Double
    ) {
        // What a reader copies: the signs without the gaps between the groups.
        writer.text("/Span<</ActualText(")
        unsafe layout.forEachSign(of: line, bytes) { sign, _ in show(sign) }
        writer.text(")>>BDC 0 g BT ")
        var (next, isBold): (Int, Bool?) = (-1, nil)
        unsafe layout.forEachSign(of: line, bytes) { sign, column in
            if column != next || sign.isDigit != isBold {
                if next >= 0 { writer.text(")Tj ") }
                writer.text("/F\(sign.isDigit ? 3 : 2) ")
                writer.number(SheetMetrics.signSize)
                writer.text(" Tf 1 0 0 1 ")
                writer.numbers(x + Double(column) * SheetMetrics.signWidth, up(y))
                writer.text("Tm (")
            }
            show(sign)
            (next, isBold) = (column + 1, sign.isDigit)
        }
        writer.text(")Tj ET EMC\n")
        unsafe spaceMarks(line, of: layout, bytes, x, y)
    }

    mutating func code(_ code: borrowing QRCode, _ x: Double, _ y: Double, size: Double) {
        let width = code.width
        // One unit is one module, so that the runs are whole numbers.
        let scale = String((size / Double(width) * 10_000).rounded() / 10_000)
        writer.text("q 0 g \(scale) 0 0 \(scale) ")
        writer.numbers(x, up(y + size))
        writer.text("cm\n")
        code.forEachRun { row, start, length in
            writer.text("\(start) \(width - 1 - row) \(length) 1 re\n")
        }
        writer.text("f Q\n")
    }
}
