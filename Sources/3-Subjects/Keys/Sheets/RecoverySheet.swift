package import ValiseSecrets

/// A sheet of paper with the passphrase of an account or the password of a repository: as text and as a QR code, with what it
/// belongs to and how to use it.
public enum RecoverySheet {
    /// What the sheet is written as. Both are the same drawing.
    public enum Format: String, Sendable, CaseIterable {
        /// A document of one or more pages.
        case pdf
        /// A drawing for programs that show one.
        case svg
    }

    /// What came of it, without anything secret.
    package struct Outcome: Sendable, Equatable {
        /// Whether there is a QR code; a passphrase that is too long for one has only the text.
        package let hasCode: Bool
        /// Whether bytes had to be written as `\xNN`.
        package let isEscaped: Bool
        package let pages: Int
    }

    /// Draws the sheet.
    ///
    /// - Returns: the file's bytes, which are as secret as the passphrase, and what came of it.
    /// - Throws: ``RecoverySheetError``; `SecretsError`.
    package static func draw(
        _ passphrase: borrowing SecretBytes, _ details: Details, as format: Format,
        outcome: (Outcome) -> Void = { _ in }
    ) throws -> SecretBytes {
        let hasCode = passphrase.count <= QRCode.longest
        let code: QRCode? = hasCode ? try QRCode(passphrase) : nil
        let layout = unsafe passphrase.withBytes { unsafe PassphraseLayout($0) }
        let composer = SheetComposer(details, layout, hasCode: hasCode)
        // The largest code has some 8,000 runs of modules; a byte of the passphrase is at most four signs, and
        // a digit among them is set in another font.
        let capacity = (1 << 20) + 192 * passphrase.count
        let sheet = try unsafe SecretBytes(capacity: capacity) { memory in
            try unsafe passphrase.withBytes { bytes in
                try unsafe compose(bytes, code, composer, as: format, into: SheetWriter(memory))
            }
        }
        outcome(Outcome(hasCode: hasCode, isEscaped: layout.isEscaped, pages: composer.pageCount))
        return sheet
    }

    private static func compose(
        _ bytes: UnsafeRawBufferPointer, _ code: borrowing QRCode?, _ composer: SheetComposer,
        as format: Format, into writer: SheetWriter
    ) throws(RecoverySheetError) -> Int {
        switch format {
        case .pdf:
            var canvas = PDFCanvas(writer, pages: composer.pageCount)
            unsafe composer.compose(bytes, code, on: &canvas)
            return try canvas.finish()
        case .svg:
            var canvas = SVGCanvas(writer, pages: composer.pageCount)
            unsafe composer.compose(bytes, code, on: &canvas)
            return try canvas.finish()
        }
    }
}
