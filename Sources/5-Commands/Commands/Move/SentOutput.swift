import Valise
import ValiseEncoding
import ValiseTerminal

/// Shows an account that is ready for the other machine: links on standard output, everything else on standard error.
struct SentOutput {
    let location: AccountLocation
    let codes: LinkCodeOptions
    let output: OutputOptions

    func show(_ report: SentAccountReport) throws {
        let sent = report.sent
        if output.json {
            try output.print(report) { "" }
        } else {
            for link in sent.links { try StandardStreams.printSecret(link.appLink()) }
            if let archive = sent.archive { try StandardStreams.printLine(archive.string.withoutControls) }
        }
        try codes.show(sent, output)
        if !output.json, !output.quiet {
            StandardStreams.printError(text(report).joined(separator: "\n"))
        }
        // Only once: later runs repeat the rest.
        if report.isFirst { Self.warnings(sent).forEach(output.warn) }
        if !output.json { ArchiveErrorText.print(sent.archiveErrors) }
    }

    /// What the user must not do from now on.
    private static func warnings(_ sent: SentAccount) -> [String] {
        let secret =
            sent.archive == nil ? (sent.links.count > 1 ? "these links" : "this link") : "this archive"
        return [
            "anyone with \(secret) and the passphrase has the whole account. Keep both secret, and send them over "
                + "different channels.",
            "do not start this account here anymore. If it is used in two places, messages from its contacts "
                + "cannot be decrypted.",
        ]
    }

    private func text(_ report: SentAccountReport) -> [String] {
        let sent = report.sent
        var lines = [""]
        let what = "\(Count.text(sent.entries, "file")), \(Count.bytes(sent.archiveSize))"
        lines.append(place(report, what).withoutControls)
        lines += [""] + receiving(sent)
        lines += ["", "When everything has arrived, the other machine must show the same words:"]
        lines += NumberedColumns.lines(sent.words.words)
        lines += ["", "Then, here:", "  valise move finish \(location.arguments)"]
        lines.append("It asks for the words. Do not enter these: enter those that the other machine shows.")
        lines.append("To undo everything: valise move cancel \(location.arguments)")
        return lines
    }

    private func place(_ report: SentAccountReport, _ what: String) -> String {
        let sent = report.sent
        let name = location.directory.string
        guard let expires = sent.expires else {
            return "\(name) is in the archive (\(what)). It does not expire."
        }
        let clock = ExpiryClock(expires: expires)
        if report.isServed {
            return
                "\(name) can be received (\(what)) from here while this command runs. The link is valid until "
                + "\(LocalTime(seconds: expires).text)."
        }
        let renew = RemedyCommand.hints(.renewLink(.init(location))).compactMap(\.line).joined()
        let advice = clock.isNear ? " To send it again, run \(RemedyCommand.quoted(renew))." : ""
        let deletes = clock.isOver ? "deleted" : "delete"
        return "\(name) is on the relays (\(what)). They \(deletes) it \(clock.text).\(advice)"
    }

    private func receiving(_ sent: SentAccount) -> [String] {
        let command = "  valise move receive"
        guard sent.archive == nil else { return ["On the other machine:", "\(command) ARCHIVE FOLDER"] }
        let pasted = sent.links.count > 1 ? "the links, one per line" : "the link"
        var lines = ["On the other machine, run this and paste \(pasted):", "\(command) - FOLDER"]
        if sent.officialAppsCanReceive {
            lines.append(
                "  or in the app: 'Migrate from another device', then scan or paste. The app shows no words.")
        }
        return lines
    }
}
