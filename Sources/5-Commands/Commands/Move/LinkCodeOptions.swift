import ArgumentParser
import CValisePlatform
import Valise

/// How a link is shown as a QR code, for the camera of a phone.
struct LinkCodeOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help:
            "Show the link as a QR code on standard error, or do not; without either, where the terminal has space for it."
    )
    var qr: Bool?

    @Option(
        name: .customLong("qr-png"),
        help: ArgumentHelp("Write the QR code into this new image, PNG, too.", valueName: "file"),
        completion: .file(extensions: ["png"]))
    var png: String?

    @Option(
        name: .customLong("qr-svg"),
        help: ArgumentHelp("Write the QR code into this new drawing, SVG, too.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Flag(help: "Replace images of these names, if they have the same format.")
    var force = false

    private var files: [(path: FilePath, format: QRCodeImage.Format)] {
        [(png, QRCodeImage.Format.png), (svg, .svg)].compactMap { path, format in
            path.map { (FilePath($0), format) }
        }
    }

    /// Before anything is done.
    /// - Throws: ``CommandError``: `alreadyExists`; `FileError`.
    func check() throws {
        for (path, format) in files {
            try file(path, format).check()
        }
    }

    /// - Parameter links: a code shows one alone.
    func show(_ links: [FileLink], _ output: OutputOptions) throws {
        let isAsked = qr == true || !files.isEmpty
        let isUseful = StandardStreams.errorIsTerminal && !output.quiet && !output.json
        guard isAsked || (qr == nil && isUseful), let link = links.first else { return }
        guard links.count == 1 else {
            return output.note("there is no QR code: this account needs \(links.count) links")
        }
        let text = try link.appLink()
        guard text.count <= FileLink.longestForQRCode else {
            return output.note(
                "there is no QR code: the link has \(text.count) characters, and phones read codes of "
                    + "\(FileLink.longestForQRCode)")
        }
        if qr ?? isUseful { try showOnTerminal(text, isAsked: qr == true, output) }
        for (path, format) in files {
            try file(path, format).write(QRCodeImage.draw(text, as: format))
            output.note("the QR code is in \(path.string), which is as secret as the link")
        }
    }

    private func file(_ path: FilePath, _ format: QRCodeImage.Format) -> SecretFile {
        SecretFile(path, replaces: force, .drawing(format == .png ? .png : .svg))
    }

    /// A code that does not fit into its window is not read by any camera.
    private func showOnTerminal(
        _ link: borrowing SecretBytes, isAsked: Bool, _ output: OutputOptions
    ) throws {
        let lines = try QRCodeText.lines(link)
        let (columns, rows) = (QRCodeText.columns(of: lines), lines.count)
        let hasSpace = columns <= Int(valise_terminal_width(2)) && rows < Int(valise_terminal_height(2))
        guard hasSpace || isAsked else {
            // An image is as good.
            if !files.isEmpty { return }
            return output.note(
                "a QR code of the link needs a window of \(columns) columns and \(rows + 1) lines; make this one larger "
                    + "and give the same command again, or write the code into an image with --qr-png FILE")
        }
        for line in lines { StandardStreams.writeToError(line + "\n") }
    }
}
