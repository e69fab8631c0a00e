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

    private var images: [LinkCodeImage] {
        [(png, QRCodeImage.Format.png), (svg, .svg)].compactMap { path, format in
            path.map { LinkCodeImage(FilePath($0), as: format, replaces: force) }
        }
    }

    /// Checks the output files, before anything is done.
    /// - Throws: ``CommandError``: `alreadyExists`; `FileError`.
    func check() throws {
        for image in images { try image.check() }
    }

    func show(_ sent: SentAccount, _ output: OutputOptions) throws {
        let isAsked = qr == true || !images.isEmpty
        let isUseful = TerminalStyle.ofErrors.redraws && !output.quiet && !output.json && !output.plain
        guard isAsked || (qr == nil && isUseful), let link = sent.links.first else { return }
        if let obstacle = try LinkCode.obstacle(to: sent.links) {
            return output.note("no QR code: \(obstacle.text)")
        }
        let text = try link.appLink()
        if qr ?? isUseful {
            try output.showCode(
                of: text, orAs: images.isEmpty ? sent.linkImage : nil,
                "Keep it as secret as the link. It is removed when the move is finished, cancelled or sent again."
            )
        }
        for image in images {
            try image.write(text)
            output.note("wrote the QR code to \(image.path.string). Keep it as secret as the link.")
        }
    }
}

extension LinkCode.Obstacle {
    fileprivate var text: String {
        switch self {
        case .severalLinks(let count): "this account needs \(Count.text(count, "link"))"
        case .tooLong(let count):
            "the link has \(Count.text(count, "character")); phones can read up to \(FileLink.longestForQRCode)"
        }
    }
}

extension OutputOptions {
    /// Shows a link as a QR code on standard error, or says where its image is.
    ///
    /// - Parameters:
    ///   - image: nil if there is another one.
    ///   - care: sentences about the image.
    func showCode(of link: borrowing SecretBytes, orAs image: FilePath?, _ care: String) throws {
        let code = try LinkCode.draw(link, orAs: image) { columns, rows in
            !StandardStreams.errorIsTerminal || StandardStreams.hasSpace(columns: columns, rows: rows)
        }
        switch code {
        case .lines(let lines): StandardStreams.printPicture(lines)
        // The link itself was printed.
        case .notWritten(let failure): warn("no QR code: \(failure.sentence)")
        case .tooLarge: break
        case .image(let path, let columns, let lines):
            // Also with --quiet: a secret file that is not named would be forgotten.
            StandardStreams.complain(
                "the QR code needs a window of \(Count.text(columns, "column")) and \(Count.text(lines, "line")), "
                    + "so it was written to \(path.string.withoutControls). \(care)")
        }
    }
}
