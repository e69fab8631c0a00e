import Valise
import ValiseEncoding
import ValiseTerminal

/// The plan of sending or receiving an account, as text.
enum MovePlanText {
    private static let mostNames = 20

    // MARK: Sending

    /// - Parameters:
    ///   - store: the key store of the passphrase; nil if it came from elsewhere.
    ///   - isServed: whether this process is the relay.
    static func text(
        _ plan: SendPlan, _ location: AccountLocation, store: String?, isServed: Bool
    ) -> String {
        var lines = ["send \(location.directory.string) (prefix \(location.prefix)) to another machine"]
        lines.appendField("files", "\(plan.entries), \(Count.bytes(plan.sourceSize))")
        if let archive = plan.archive {
            lines.appendField("archive", "\(archive), about \(Count.bytes(plan.archiveSize))")
            if let free = plan.freeSpace { lines.appendField("space", "\(Count.bytes(free)) free") }
        } else {
            lines.appendField(
                "archive",
                "\(Count.bytes(plan.archiveSize)) in \(Count.text(plan.chunks, "chunk")), encrypted; "
                    + "no copy is written to this disk")
            lines += plan.relays.map {
                FieldLine.text("relay", isServed ? "\($0) (this process)" : $0)
            }
        }
        if !plan.officialAppsCanReceive {
            let most = Count.bytes(MediaLimits.xftp)
            lines.appendField("links", "\(plan.parts), all needed: official apps receive at most \(most)")
        }
        if let config = plan.networkConfig {
            lines.appendField("settings", "the link includes network settings: \(config.text)")
        }
        if let store {
            lines.appendField(
                "passphrase",
                "from the key store '\(store)'. The other machine asks for it. To print it, run "
                    + RemedyCommand.quoted("valise key sheet \(location.arguments) -o sheet.pdf") + ".")
        }
        lines += plan.folded.map {
            FieldLine.text("first", "apply the journal left by a crash to the \($0.rawValue) database")
        }
        lines += leftOut(plan.archiveErrors)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func leftOut(_ errors: [ArchiveError]) -> [String] {
        var lines = errors.prefix(mostNames).map { FieldLine.text("left out", ArchiveErrorText.text($0)) }
        if errors.count > mostNames {
            lines.appendField("left out", "\(errors.count - mostNames) more")
        }
        return lines
    }

    // MARK: Receiving

    static func text(_ info: ReceiveInfo, _ location: AccountLocation, known: Set<String>) -> String {
        var lines = ["receive an account into \(location.directory.string)  (prefix \(location.prefix))"]
        if let archive = info.archive {
            lines.appendField("archive", "\(archive.path), \(Count.bytes(info.size))")
        } else {
            lines.appendField("size", "\(Count.bytes(info.size)) encrypted")
        }
        lines.appendField("space", "\(Count.bytes(info.spaceNeeded)) needed while receiving")
        let servers = info.parts.flatMap(\.servers).map(\.address.text)
        for server in Set(servers).sorted() {
            lines.appendField("relay", known.contains(server) ? server : "\(server) (not in your list)")
        }
        if info.parts.contains(where: \.isRedirect) {
            lines.appendField("", "the link points to a list of chunks that may name more relays")
        }
        if info.parts.count > 1 {
            lines.appendField("links", "\(info.parts.count), all needed")
        }
        if let config = info.networkConfig {
            lines.appendField("settings", "network settings of the sending app: \(config.text)")
        }
        if let problem = info.linkDataProblem {
            lines.appendField("settings", "ignored: \(problem)")
        }
        if info.archive == nil {
            lines.appendField("age", "unknown: links have no date. Relays delete files after 48 hours.")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}

extension AccountLocation {
    /// The account as command-line arguments.
    var arguments: String { Self.arguments(directory.string, prefix: prefix) }

    static func arguments(_ directory: String, prefix: String) -> String {
        RemedyCommand.arguments(FilePath(directory), prefix: prefix)
    }
}
