import Valise
import ValiseEncoding
import ValiseTerminal

/// Prints a sent file: its links on standard output, one per line, and headings on standard error.
struct LinkOutput {
    /// Whether links are for the relay's web page.
    let web: Bool
    /// Whether codes are shown, also beside JSON.
    let qr: Bool
    /// Whether this process is the relay.
    let isServed: Bool
    let output: OutputOptions

    /// - Parameter folder: with the descriptions.
    func show(_ file: UploadedFile, _ folder: FilePath) throws {
        for (number, links) in file.links.enumerated() {
            if let heading = heading(number, file) { output.note(heading) }
            for (part, link) in links.enumerated() {
                let name = "rcv\(number + 1)\(links.count > 1 ? "-\(part + 1)" : "").png"
                try show(link, image: folder.appending(name))
            }
        }
        if output.json { return }
        let chunks = file.parts.reduce(0) { $0 + $1.sender.chunks.count }
        let size = "\(file.name) (\(Count.bytes(file.size)), \(Count.text(chunks, "chunk")))"
        output.note(
            isServed
                ? "\(size) is ready to receive; its descriptions are in \(folder.string)"
                : "sent \(size). Relays keep it for about 48 hours; "
                    + RemedyCommand.quoted("valise file delete \(ShellWord(folder).text)")
                    + " deletes it sooner")
    }

    /// A heading for the next lines, if their number alone is ambiguous.
    private func heading(_ recipient: Int, _ file: UploadedFile) -> String? {
        let recipients = file.links.count
        let whose = recipients > 1 ? "recipient \(recipient + 1) of \(recipients): " : ""
        if file.parts.count > 1, !output.json || qr {
            return "\(whose)links of parts 1 to \(file.parts.count); all are needed"
        }
        return qr && recipients > 1 ? "\(whose)link" : nil
    }

    private func show(_ link: FileLink, image: FilePath) throws {
        let text = try web ? link.webLink() : link.appLink()
        if !output.json { try StandardStreams.printSecret(text) }
        guard qr else { return }
        guard text.count <= QRCodeText.longest else {
            return output.note("this link is too long for a QR code; use --redirect always to shorten it")
        }
        // The descriptions beside it are as secret.
        try output.showCode(of: text, orAs: image, "Keep it as secret as the link.")
    }
}
