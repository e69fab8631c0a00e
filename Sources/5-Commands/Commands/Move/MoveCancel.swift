import ArgumentParser
import Valise

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
        let operation = try operation()
        let report = try output.run(operation)
        try output.print(report, type: "moveCancelled") { text(report, operation.account) }
    }

    private func operation() throws -> CancelMove {
        var operation =
            try operationOfID() ?? CancelMove(of: AccountLocation.place(FilePath(directory), prefix: prefix))
        operation.proxy = proxy.proxy
        return operation
    }

    private func operationOfID() throws -> CancelMove? {
        let moves = try output.run(ListOperations([.moves], includesEnded: true)).compactMap(\.move)
        guard prefix == nil, let move = moves.first(where: { $0.id == directory }) else { return nil }
        guard !move.isDamaged else {
            throw CommandError(
                .damaged,
                "the record of this move cannot be read; 'valise move forget \(move.id)' removes it, and what it "
                    + "sent expires", subject: move.id)
        }
        return CancelMove(
            of: try AccountLocation.place(FilePath(move.directory), prefix: move.prefix), id: move.id)
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
