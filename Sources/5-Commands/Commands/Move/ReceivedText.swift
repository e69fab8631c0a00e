import Valise

/// An account that was received, for a user.
struct ReceivedText {
    let location: AccountLocation

    func text(_ received: ReceivedAccount) -> String {
        let place = location.directory.string
        var lines = [
            "the account is in \(place)\(what(received.imported))"
                + (received.imported.replacedAccount ? ", in place of the previous one" : "")
        ]
        lines += [schema(received.schema), network(received.network)].compactMap { $0 }
        lines += ["", "The other machine has to show these words too:"]
        lines += ProofWordsText.lines(received.words.words)
        lines.append(contentsOf: differences(received.imported))
        lines += [
            "",
            "There: valise move finish FOLDER, which asks for them, deletes what was sent and takes the account",
            "there out of use. If an app sent it: look whether all is here, and finish the move in the app.",
        ]
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func what(_ imported: ReceivedImport) -> String {
        guard let entries = imported.entries, let size = imported.size else { return "" }
        return ": \(Count.text(entries, "file")), \(ByteCount.text(size))"
    }

    private func schema(_ schema: ReceivedSchema) -> String? {
        let count = schema.migrations.values.reduce(0) { $0 + $1.count }
        let arguments = location.arguments
        switch schema.outcome {
        case .current: return nil
        case .upgraded:
            return
                "\(Count.text(count, "migration")) ran; the databases from before are kept until "
                + RemedyCommand.quoted("valise migrate confirm \(arguments)")
        case .declined:
            return "\(Count.text(count, "migration")) are to run: "
                + RemedyCommand.quoted("valise migrate run \(arguments)")
        case .official: return "it is an account of the official programs, which migrate it when they start"
        case .newerThanKnown:
            return "a newer program than this one made it; it is in place as it is, use it with that program"
        case .unknown: return "its schema is of an unknown program; it is in place as it is"
        }
    }

    private func network(_ network: ReceivedAccount.NetworkSettings) -> String? {
        switch network {
        case .none: nil
        case .taken: "the network settings of the sending app are set here too"
        case .declined: "the network settings of the sending app were left out"
        case .unreadable:
            "the settings in this account are not what an app writes, and were left as they are; set the network in the app"
        case .noTable:
            "the network settings of the sending app have no place in this account; set them in the app"
        }
    }

    /// Why the words may be others.
    private func differences(_ imported: ReceivedImport) -> [String] {
        var lines: [String] = []
        if !imported.archiveErrors.isEmpty {
            lines.append(
                "They differ, because \(Count.text(imported.archiveErrors.count, "file")) did not arrive.")
        }
        if imported.foreignMedia > 0 {
            lines.append(
                "They differ, because \(Count.text(imported.foreignMedia, "file")) of the previous account "
                    + "\(imported.foreignMedia == 1 ? "is" : "are") among the media.")
        }
        return lines
    }
}
