import Valise
import ValiseEncoding
import ValiseTerminal

/// The result of receiving an account, as text.
struct ReceivedText {
    let location: AccountLocation

    func text(_ received: ReceivedAccount) -> String {
        let place = location.directory.string
        var lines = [
            "the account is in \(place)\(what(received.imported))"
                + (received.imported.replacedAccount ? ", replacing the previous one" : "")
        ]
        lines += [schema(received.schema), network(received.network)].compactMap { $0 }
        lines += ["", "The other machine must show the same words:"]
        lines += NumberedColumns.lines(received.words.words)
        lines.append(contentsOf: differences(received.imported))
        lines += [
            "",
            "Then, there:", "  valise move finish FOLDER",
            received.finishingText,
        ]
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func what(_ imported: ReceivedImport) -> String {
        guard let entries = imported.entries, let size = imported.size else { return "" }
        return ": \(Count.text(entries, "file")), \(Count.bytes(size))"
    }

    private func schema(_ schema: ReceivedSchema) -> String? {
        let count = schema.migrations.values.reduce(0) { $0 + $1.count }
        let arguments = location.arguments
        switch schema.outcome {
        case .current: return nil
        case .upgraded:
            return
                "ran \(Count.text(count, "migration")); the previous databases are kept until "
                + RemedyCommand.quoted("valise migrate confirm \(arguments)")
        case .declined:
            return "\(Count.text(count, "migration")) pending: run "
                + RemedyCommand.quoted(
                    Hint("run them", command: "migrate run", arguments).line ?? "")
        case .official: return "the official apps migrate this account when they start"
        case .newerThanKnown:
            return "imported unchanged: made by a newer program than this one. Use that program."
        case .unknown: return "imported unchanged: unknown schema"
        }
    }

    private func network(_ network: ReceivedAccount.NetworkSettings) -> String? {
        switch network {
        case .none: nil
        case .taken: "applied the network settings of the sending app"
        case .declined: "ignored the network settings of the sending app"
        case .unreadable:
            "the app settings in this account are unreadable and unchanged. Set up the network in the app."
        case .noTable:
            "this account cannot store the network settings of the sending app. Set them in the app."
        }
    }

    /// Why the words may differ.
    private func differences(_ imported: ReceivedImport) -> [String] {
        var lines: [String] = []
        if !imported.archiveErrors.isEmpty {
            lines.append(
                "They differ because \(Count.text(imported.archiveErrors.count, "file")) did not arrive.")
        }
        if imported.foreignMedia > 0 {
            lines.append(
                "They differ because the media include \(Count.text(imported.foreignMedia, "file")) of the "
                    + "previous account.")
        }
        return lines
    }
}
