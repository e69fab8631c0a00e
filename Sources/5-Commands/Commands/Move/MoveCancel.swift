import ArgumentParser
import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseMoves

struct MoveCancel: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Give a move up and undo what it did.",
        discussion: """
            On the sending machine what was sent is deleted from the relays, and the account is as it was before. On the \
            receiving machine what was received is removed; an account that is in place already stays, and is not to be \
            used then beside the other one. A move that is finished cannot be cancelled: on the sending machine 'valise \
            move restore' brings the account back, on the receiving one it stays.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder of the account, or the name of the move as 'valise move status' shows it.",
            valueName: "dir|id"),
        completion: .directory)
    var directory: String

    @Option(help: "What the names of the databases start with, where the folder holds several accounts.")
    var prefix: String?

    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (location, id) = try move()
        let report = try MoveRelay.during(location, output) {
            try AsynchronousWork<CancelReport>.run(output) { [proxy = proxy.proxy] work in
                try await MoveStates.withEngine(proxy) { move in
                    try await move.cancel(location, id: id, report: MoveNarration(work).tell)
                }
            }
        }
        MoveLeftovers.remove(of: location, report.side)
        try output.print(report, type: "moveCancelled") { text(report, location) }
    }

    private func move() throws -> (AccountLocation, id: String?) {
        let moves = try MoveStates.engine().moves()
        if prefix == nil, let move = moves.first(where: { $0.id == directory }) {
            guard !move.isDamaged else {
                throw CommandError(
                    .damaged,
                    "the record of this move cannot be read; 'valise move forget \(move.id)' removes it, and what it "
                        + "sent expires", subject: move.id)
            }
            return (try AccountLocation.place(FilePath(move.directory), prefix: move.prefix), move.id)
        }
        return (try AccountLocation.place(FilePath(directory), prefix: prefix), nil)
    }

    private func text(_ report: CancelReport, _ location: AccountLocation) -> String {
        let place = location.directory.string
        var lines: [String]
        switch report.side {
        case .sending where !report.wasSent:
            lines = ["the move is cancelled; nothing had been sent of \(place)"]
        case .sending:
            let link = report.archiveLeft == nil ? ", and the link leads nowhere" : ""
            lines = ["the move is cancelled; the account in \(place) is as it was\(link)"]
            if report.chunksLeft > 0 {
                lines.append(
                    "\(Count.text(report.chunksLeft, "chunk")) could not be deleted from the relays, and will expire there"
                )
            }
            if let archive = report.archiveLeft {
                lines.append(
                    "\(archive) is still there; whoever has it and the passphrase has the whole account")
            }
        case .receiving where report.accountStays:
            lines = [
                "the move is cancelled; the account that was received is in \(place) and stays: use it here or on the other "
                    + "machine, never on both"
            ]
        case .receiving:
            lines = ["the move is cancelled; what was received was removed, and nothing was put in place"]
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
