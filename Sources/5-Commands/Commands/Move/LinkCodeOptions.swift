import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

/// Options to show a link as a QR code, for a phone's camera.
struct LinkCodeOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Show the link as a QR code on standard error. The default is to show it on a terminal. If it does not fit, \
            it is written to an image.
            """
    )
    var qr: Bool?

    @Option(
        name: .customLong("qr-png"),
        help: ArgumentHelp("Also write the QR code to this new PNG image.", valueName: "file"),
        completion: .file(extensions: ["png"]))
    var png: String?

    @Option(
        name: .customLong("qr-svg"),
        help: ArgumentHelp("Also write the QR code to this new SVG image.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Flag(help: "Replace existing images of the same format.")
    var force = false

    private var files: [(path: FilePath, format: QRCodeImage.Format)] {
        [(png, QRCodeImage.Format.png), (svg, .svg)].compactMap { path, format in
            path.map { (FilePath($0), format) }
        }
    }

    /// Checks the output files, before anything is done.
    /// - Throws: ``CommandError``: `alreadyExists`; `FileError`.
    func check() throws {
        for (path, format) in files {
            try file(path, format).check()
        }
    }

    /// - Parameter sent: only a single link fits into a code.
    func show(_ sent: SentAccount, _ output: OutputOptions) throws {
        let links = sent.links
        let isAsked = qr == true || !files.isEmpty
        let isUseful = TerminalStyle.ofErrors.redraws && !output.quiet && !output.json && !output.plain
        guard isAsked || (qr == nil && isUseful), let link = links.first else { return }
        guard links.count == 1 else {
            return output.note("no QR code: this account needs \(Count.text(links.count, "link"))")
        }
        let text = try link.appLink()
        guard text.count <= FileLink.longestForQRCode else {
            return output.note(
                "no QR code: the link has \(Count.text(text.count, "character")); phones can read up to "
                    + "\(FileLink.longestForQRCode)")
        }
        if qr ?? isUseful {
            try output.showCode(
                of: text, orAs: files.isEmpty ? sent.linkImage : nil,
                "Keep it as secret as the link. It is removed when the move is finished, cancelled or sent again."
            )
        }
        for (path, format) in files {
            try file(path, format).write(QRCodeImage.draw(text, as: format))
            output.note("wrote the QR code to \(path.string). Keep it as secret as the link.")
        }
    }

    private func file(_ path: FilePath, _ format: QRCodeImage.Format) -> SecretFile {
        SecretFile(path, replaces: force, .drawing(format == .png ? .png : .svg))
    }
}

extension OutputOptions {
    /// Shows a link as a QR code on standard error, or writes an image: a code that does not fit the window cannot be scanned.
    ///
    /// - Parameters:
    ///   - image: nil if there is another one.
    ///   - care: sentences about the image.
    func showCode(of link: borrowing SecretBytes, orAs image: FilePath?, _ care: String) throws {
        let lines = try QRCodeText.lines(link)
        let (columns, rows) = (QRCodeText.columns(of: lines), lines.count)
        guard StandardStreams.errorIsTerminal, !StandardStreams.hasSpace(columns: columns, rows: rows) else {
            return StandardStreams.printPicture(lines)
        }
        guard let image else { return }
        do {
            try SecretFile(image, replaces: true, .drawing(.png)).write(QRCodeImage.draw(link, as: .png))
        } catch let failure as any Failure {
            // The link itself was printed.
            return warn("no QR code: \(failure.sentence)")
        }
        // Also with --quiet: a secret file that is not named would be forgotten.
        StandardStreams.complain(
            "the QR code needs a window of \(Count.text(columns, "column")) and \(Count.text(rows + 1, "line")), "
                + "so it was written to \(image.string.withoutControls). \(care)")
    }
}
