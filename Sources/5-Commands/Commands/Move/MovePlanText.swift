import Valise

/// What would be sent or received, for a user.
enum MovePlanText {
    private static let mostNames = 20

    // MARK: Sending

    /// - Parameters:
    ///   - store: of the passphrase; nil where it came from elsewhere.
    ///   - isServed: whether this process is the relay.
    static func text(
        _ plan: SendPlan, _ location: AccountLocation, store: String?, isServed: Bool
    ) -> String {
        var lines = ["\(location.directory.string)  (prefix \(location.prefix)) to another machine"]
        lines.append(FieldLine.text("files", "\(plan.entries), \(ByteCount.text(plan.sourceSize))"))
        if let archive = plan.archive {
            lines.append(FieldLine.text("archive", "\(archive), about \(ByteCount.text(plan.archiveSize))"))
        } else {
            lines.append(
                FieldLine.text(
                    "archive",
                    "\(ByteCount.text(plan.archiveSize)) in \(Count.text(plan.chunks, "chunk")), encrypted; no copy of it "
                        + "is written here"))
            lines += plan.relays.map {
                FieldLine.text("relay", isServed ? "\($0), which is this process" : $0)
            }
        }
        if !plan.officialAppsCanReceive {
            lines.append(
                FieldLine.text(
                    "links",
                    "\(plan.parts), which are needed together, as this is larger than 5 GiB: the official apps cannot "
                        + "receive it"))
        }
        if let config = plan.networkConfig {
            lines.append(
                FieldLine.text("settings", "the link carries the app's network settings: \(config.text)"))
        }
        if let store {
            lines.append(
                FieldLine.text(
                    "passphrase",
                    "of the key store '\(store)'; the other machine asks for it: "
                        + RemedyCommand.quoted("valise key sheet \(location.arguments) -o sheet.pdf")
                        + " writes it down"))
        }
        lines += plan.folded.map {
            FieldLine.text(
                "first", "the journal that a crashed program left is folded into the \($0.rawValue) database")
        }
        lines += leftOut(plan.archiveErrors)
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func leftOut(_ errors: [ArchiveError]) -> [String] {
        var lines = errors.prefix(mostNames).map { FieldLine.text("left out", ArchiveErrorText.text($0)) }
        if errors.count > mostNames {
            lines.append(FieldLine.text("left out", "\(errors.count - mostNames) more"))
        }
        return lines
    }

    // MARK: Receiving

    static func text(_ info: ReceiveInfo, _ location: AccountLocation, known: Set<String>) -> String {
        var lines = ["an account, to \(location.directory.string)  (prefix \(location.prefix))"]
        lines.append(FieldLine.text("size", "\(ByteCount.text(info.size)) encrypted"))
        lines.append(FieldLine.text("space", "\(ByteCount.text(info.spaceNeeded)) while it is put in place"))
        let servers = info.parts.flatMap(\.servers).map(\.address.text)
        for server in Set(servers).sorted() {
            lines.append(
                FieldLine.text("relay", known.contains(server) ? server : "\(server), not in your list"))
        }
        if info.parts.contains(where: \.isRedirect) {
            lines.append(
                FieldLine.text("", "the link leads to a list of chunks, which may name further relays"))
        }
        if info.parts.count > 1 {
            lines.append(FieldLine.text("links", "\(info.parts.count), which belong together"))
        }
        if let config = info.networkConfig {
            lines.append(
                FieldLine.text("settings", "the network settings of the sending app: \(config.text)"))
        }
        if let problem = info.linkDataProblem {
            lines.append(FieldLine.text("settings", "left out: \(problem)"))
        }
        lines.append(
            FieldLine.text("age", "is in no link; relays delete what was sent more than 48 hours ago"))
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}

extension NetworkConfig {
    /// In one line, without what is secret of it.
    var text: String {
        var parts = [hostMode.rawValue + (requiredHostMode ? " only" : "")]
        if let socksProxy { parts.append("proxy \(socksProxy)") }
        if let networkProxy {
            let port = networkProxy.port.map { ":\($0)" } ?? ""
            parts.append("proxy \(networkProxy.host ?? "")\(port)")
            if networkProxy.password != nil { parts.append("with its password") }
        }
        return parts.joined(separator: ", ")
    }
}

extension AccountLocation {
    /// How it is named on the command line.
    var arguments: String { Self.arguments(directory.string, prefix: prefix) }

    static func arguments(_ directory: String, prefix: String) -> String {
        RemedyCommand.arguments(FilePath(directory), prefix: prefix)
    }
}
