package import SystemPackage
package import ValiseFailures
import ValiseFiles
package import ValiseKeys
package import ValiseSecrets
package import ValiseXFTPWire

/// A link as a QR code, for a phone's camera: as text for a terminal, or as an image where its window is too small. Both are as
/// secret as the link.
package enum LinkCode: Sendable {
    /// Colored lines of text.
    case lines([String])
    /// It needs a window of so many columns and lines, and was written to this image.
    case image(FilePath, columns: Int, lines: Int)
    /// It does not fit the window, and its image could not be written.
    case notWritten(any Failure)
    /// It does not fit the window, and no image was asked for.
    case tooLarge

    /// Why no phone would read the code of what was sent.
    package enum Obstacle: Sendable {
        /// All of so many links are needed, and a code has one.
        case severalLinks(Int)
        /// The link has so many characters.
        case tooLong(Int)
    }

    /// - Returns: nil where nothing is in the way.
    /// - Throws: as `FileLink.appLink(host:)`.
    package static func obstacle(to links: [FileLink]) throws -> Obstacle? {
        guard links.count == 1, let link = links.first else { return .severalLinks(links.count) }
        let count = try link.appLink().count
        return count > FileLink.longestForQRCode ? .tooLong(count) : nil
    }

    /// Draws a code that has to fit: a part of one cannot be scanned.
    ///
    /// - Parameters:
    ///   - image: what is written where it does not fit, also over an earlier one; nil if there is another image.
    ///   - hasSpace: whether so many columns and rows fit.
    /// - Throws: `RecoverySheetError` for a link that is too long for any code.
    package static func draw(
        _ link: borrowing SecretBytes, orAs image: FilePath?,
        hasSpace: (_ columns: Int, _ rows: Int) -> Bool
    ) throws -> LinkCode {
        let lines = try QRCodeText.lines(link)
        let columns = QRCodeText.columns(of: lines)
        if hasSpace(columns, lines.count) { return .lines(lines) }
        guard let image else { return .tooLarge }
        do {
            try LinkCodeImage(image, as: .png, replaces: true).write(link)
        } catch let failure as any Failure {
            return .notWritten(failure)
        }
        return .image(image, columns: columns, lines: lines.count + 1)
    }
}

/// An image of a link's QR code, which is written to a file of mode 0600.
package struct LinkCodeImage: Sendable {
    package let path: FilePath
    private let format: QRCodeImage.Format
    private let replaces: Bool

    /// - Parameter replaces: whether an image of the same format may be replaced.
    package init(_ path: FilePath, as format: QRCodeImage.Format, replaces: Bool) {
        self.path = path
        self.format = format
        self.replaces = replaces
    }

    /// Before the work begins that makes the link.
    /// - Throws: ``OperationError``: `alreadyExists`; `FileError`.
    package func check() throws { try file.check() }

    /// - Throws: as ``check()``; `RecoverySheetError` for a link that is too long for any code.
    package func write(_ link: borrowing SecretBytes) throws {
        try file.write(QRCodeImage.draw(link, as: format))
    }

    private var file: SecretFile {
        SecretFile(path, replaces: replaces, .drawing(format == .png ? .png : .svg))
    }
}
