import ValiseFailures
package import ValiseSecrets

/// A QR code as an image of its own, for a screen or a printer.
package enum QRCodeImage {
    /// What the image is written as.
    package enum Format: String, Sendable, CaseIterable {
        case png, svg
    }

    /// Free modules around a code, without which readers do not find it.
    static let margin = 4

    /// Pixels of a module's side: also a code of the widest kind fits on a screen, and a phone tells its modules apart.
    private static let scale = 6

    /// Draws a code with its quiet zone, dark on light, at the lowest correction: nothing covers a screen.
    ///
    /// - Returns: the file's bytes, which are as secret as the content.
    /// - Throws: ``RecoverySheetError``: `invalid` for more than ``QRCodeText/longest`` bytes, `failed` when an encoder
    ///   fails; `SecretsError`.
    package static func draw(_ content: borrowing SecretBytes, as format: Format) throws -> SecretBytes {
        let code = try QRCode(content, .low)
        switch format {
        case .png: return try PNGImage.encode(code, margin: margin, scale: scale)
        case .svg: return try svg(code)
        }
    }

    private static func svg(_ code: borrowing QRCode) throws -> SecretBytes {
        let side = code.width + 2 * margin
        // A run is at most 24 bytes, and no row has more of them than half its modules.
        return try unsafe SecretBytes(capacity: 1024 + code.width * (code.width + 1) / 2 * 24) { memory in
            var writer = unsafe SheetWriter(memory)
            writer.text(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" width="\(side * scale)" height="\(side * scale)" \
                viewBox="0 0 \(side) \(side)">
                <rect width="\(side)" height="\(side)" fill="#fff"/>
                <path shape-rendering="crispEdges" transform="translate(\(margin) \(margin))" d="
                """)
            code.forEachRun { row, start, length in
                writer.text("M\(start) \(row)h\(length)v1h-\(length)z")
            }
            writer.text("\"/>\n</svg>\n")
            return try writer.finish()
        }
    }
}
