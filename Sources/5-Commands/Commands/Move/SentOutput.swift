import Valise

/// Tells of an account that waits for the other machine: links on standard output, everything else beside it.
struct SentOutput {
    let location: AccountLocation
    let codes: LinkCodeOptions
    let output: OutputOptions

    func show(_ report: SentAccountReport) throws {
        let sent = report.sent
        if output.json {
            try output.print(report) { "" }
        } else {
            for link in sent.links {
                try link.appLink().withBytes {
                    try StandardStreams.writeResult(Array($0) + [UInt8(ascii: "\n")])
                }
            }
            if let archive = sent.archive { try StandardStreams.printLine(archive.string.withoutControls) }
        }
        try codes.show(sent.links, output)
        if !output.json, !output.quiet {
            StandardStreams.printError(text(report).joined(separator: "\n"))
        }
        // It is said once what must not be done with it.
        if report.isFirst { Self.warnings(sent).forEach(output.warn) }
        if !output.json { ArchiveErrorText.print(sent.archiveErrors) }
    }

    /// What is known once, and for ever.
    private static func warnings(_ sent: SentAccount) -> [String] {
        let secret =
            sent.archive == nil ? (sent.links.count > 1 ? "these links" : "this link") : "this archive"
        return [
            "whoever has \(secret) and the passphrase has the whole account; show both to nobody else, and not on the "
                + "same way",
            "do not start this account here any more: once it is used in two places, messages of its contacts cannot be "
                + "decrypted",
        ]
    }

    private func text(_ report: SentAccountReport) -> [String] {
        let sent = report.sent
        var lines = [""]
        let what = "\(Count.text(sent.entries, "file")), \(ByteCount.text(sent.archiveSize))"
        lines.append(place(report, what).withoutControls)
        lines += ["", "On the other machine:"] + receiving(sent)
        lines += ["", "When all is there it shows these words:"]
        lines += ProofWordsText.lines(sent.words.words)
        lines += ["", "Then, here: valise move finish \(location.arguments)"]
        lines.append(
            "To undo everything instead: valise move cancel \(location.arguments)")
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
                "\(name) can be received (\(what)) from here, as long as this runs; the link is good until "
                + "\(LocalTime(seconds: expires).text)."
        }
        let advice = clock.isNear ? " 'valise move send --renew' sends it anew." : ""
        return "\(name) is on the relays (\(what)). They delete it \(clock.text).\(advice)"
    }

    private func receiving(_ sent: SentAccount) -> [String] {
        guard sent.archive == nil else { return ["  valise move receive ARCHIVE FOLDER"] }
        var lines = [
            "  valise move receive - FOLDER      and paste the link\(sent.links.count > 1 ? "s, one on a line" : "")"
        ]
        if sent.officialAppsCanReceive {
            lines.append(
                "  or in the app, 'Migrate from another device', and scan or paste it; the app shows no words"
            )
        }
        return lines
    }
}
