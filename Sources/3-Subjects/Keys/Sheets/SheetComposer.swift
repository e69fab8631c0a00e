import ValiseEncoding

/// Puts the parts of the sheet in their places, on whatever canvas.
struct SheetComposer {
    private let details: RecoverySheet.Details
    private let layout: PassphraseLayout
    private let hasCode: Bool

    /// On the first page there is more to show; the rest of a long passphrase goes to further pages.
    private static let firstLines = 8
    private static let furtherLines = 28

    init(_ details: RecoverySheet.Details, _ layout: PassphraseLayout, hasCode: Bool) {
        self.details = details
        self.layout = layout
        self.hasCode = hasCode
    }

    var pageCount: Int {
        let rest = max(0, layout.lines.count - Self.firstLines)
        return 1 + (rest + Self.furtherLines - 1) / Self.furtherLines
    }

    func compose<Canvas: SheetCanvas>(
        _ bytes: UnsafeRawBufferPointer, _ code: borrowing QRCode?, on canvas: inout Canvas
    ) {
        canvas.beginPage()
        var y = header(&canvas)
        y = unsafe passphrase(0..<min(Self.firstLines, layout.lines.count), bytes, y, &canvas)
        y = legend(y, &canvas)
        let left = SheetMetrics.margin
        switch code {
        case .some(let code):
            // A wide code needs space, or its modules get too small for a camera.
            let size = code.width > 85 ? 270.0 : 190.0
            canvas.text("QR code", left, y, .heading)
            canvas.code(code, left, y + 14, size: size)
            let column = left + size + 28
            usage(column, y, SheetMetrics.pageWidth - SheetMetrics.margin - column, &canvas)
        case nil: usage(left, y, SheetMetrics.textWidth, &canvas)
        }
        canvas.endPage()
        unsafe furtherPages(bytes, &canvas)
    }

    // MARK: Parts

    private func header<Canvas: SheetCanvas>(_ canvas: inout Canvas) -> Double {
        let left = SheetMetrics.margin
        canvas.text("Recovery sheet", left, 84, .title)
        canvas.text(details.introduction, left, 104, .label)
        canvas.rectangle(left, 116, SheetMetrics.textWidth, 1, gray: 0)
        var y = 138.0
        for field in details.fields {
            canvas.text(field.label, left, y, .label)
            for line in Self.wrap(field.value, width: SheetMetrics.textWidth - 80, size: 10, atWords: false) {
                canvas.text(line, left + 80, y, .body)
                y += 15
            }
            y += 2
        }
        return y + 14
    }

    private func passphrase<Canvas: SheetCanvas>(
        _ lines: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ top: Double, _ canvas: inout Canvas
    ) -> Double {
        let left = SheetMetrics.margin
        canvas.text(details.secret, left, top, .heading)
        let height = Double(lines.count) * SheetMetrics.lineHeight + 14
        canvas.rectangle(left, top + 10, SheetMetrics.textWidth, height, gray: 0.94)
        var y = top + 10 + 7 + 16
        for number in lines {
            let line = layout.lines[number]
            if layout.lines.count > 1 { canvas.text(String(number + 1), left + 8, y, .number) }
            unsafe canvas.signs(line, of: layout, bytes, left + 30, y)
            y += SheetMetrics.lineHeight
        }
        return top + 10 + height + 18
    }

    /// How to read the signs.
    private func legend<Canvas: SheetCanvas>(_ top: Double, _ canvas: inout Canvas) -> Double {
        var y = top
        for text in legendTexts {
            for line in Self.wrap(text, width: SheetMetrics.textWidth, size: 10) {
                canvas.text(line, SheetMetrics.margin, y, .body)
                y += 14
            }
        }
        if layout.hasSpaces {
            canvas.spaceMark(SheetMetrics.margin, y)
            canvas.text("is a space.", SheetMetrics.margin + 14, y, .body)
            y += 14
        }
        return y + 22
    }

    private var legendTexts: [String] {
        var texts: [String] = []
        let length = Count.text(layout.byteCount, layout.isEscaped ? "byte" : "character")
        let gaps = layout.hasSpaces || layout.byteCount <= 4 ? "" : " The gaps are not part of it."
        texts.append("\(length). Digits are bold.\(gaps)")
        if layout.lines.count > 1 {
            let more = pageCount > 1 ? " They continue to page \(pageCount)." : ""
            texts.append("Join the lines with nothing between them.\(more)")
        }
        if layout.isEscaped {
            texts.append(
                "Characters that not every printer and keyboard supports are written as \\xNN, one byte in "
                    + "hexadecimal. In bash, printf '%b' '...' > FILE turns this text into the "
                    + "\(details.secret.lowercased()).")
        }
        if !hasCode { texts.append("It is too long for a QR code.") }
        return texts
    }

    private func usage<Canvas: SheetCanvas>(
        _ x: Double, _ top: Double, _ width: Double, _ canvas: inout Canvas
    ) {
        canvas.text("How to use it", x, top, .heading)
        var y = top + 22
        for text in details.usage {
            for line in Self.wrap(text, width: width, size: 10) {
                canvas.text(line, x, y, .body)
                y += 14
            }
            y += 5
        }
    }

    private func furtherPages<Canvas: SheetCanvas>(
        _ bytes: UnsafeRawBufferPointer, _ canvas: inout Canvas
    ) {
        var first = Self.firstLines
        var page = 2
        while first < layout.lines.count {
            let last = min(first + Self.furtherLines, layout.lines.count)
            canvas.beginPage()
            canvas.text(
                "Recovery sheet, \(details.date), page \(page) of \(pageCount)", SheetMetrics.margin, 60,
                .label)
            _ = unsafe passphrase(first..<last, bytes, 84, &canvas)
            canvas.endPage()
            (first, page) = (last, page + 1)
        }
    }

    /// Breaks a text into lines. A letter of Helvetica is about half as wide as it is high; of what stands
    /// in for it, a little more.
    static func wrap(_ text: String, width: Double, size: Double, atWords: Bool = true) -> [String] {
        let columns = max(10, Int(width / (size * 0.56)))
        var lines: [String] = []
        var rest = text[...]
        while rest.count > columns {
            let limit = rest.index(rest.startIndex, offsetBy: columns)
            let space = atWords ? rest[..<limit].lastIndex(of: " ") : nil
            lines.append(String(rest[..<(space ?? limit)]))
            rest = space.map { rest[rest.index(after: $0)...] } ?? rest[limit...]
        }
        return lines + [String(rest)]
    }
}
