import ArgumentParser
import Valise
import ValiseEncoding

struct MoveCancel: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a move and undo what it did.",
        discussion: """
            On the sending machine, the upload is deleted from the relays and the account is unchanged. On the \
            receiving machine, received data is removed. An account that is already in place is kept; do not use it \
            together with the other one. If the other machine may have received the account, you are asked first; \
            without a terminal, --yes is required. A finished move cannot be cancelled: on the sending machine, 'valise move \
            restore' restores the account; on the receiving machine, the account is kept.
            """)

    @Argument(
        help: ArgumentHelp(
            "The account folder, or the move ID shown by 'valise move status'.",
            valueName: "dir|id"),
        completion: .directory)
    var directory: String

    @OptionGroup var use: AccountUseOptions

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = CancelNamedMove(directory, prefix: use.prefix)
        operation.proxy = proxy.proxy
        operation.acceptsReceived = consent.yes
        if dryRun.isAsked { return try output.show("moveCancel", would: output.plan(operation).changes) }
        let cancelled = try output.run(operation, Answers(input, consent))
        try output.print(cancelled.report, type: "moveCancelled") {
            text(cancelled.report, cancelled.account)
        }
    }

    private func text(_ report: CancelReport, _ location: AccountLocation) -> String {
        let place = location.directory.string
        var lines: [String]
        switch report.side {
        case .sending where !report.wasSent:
            lines = ["move cancelled; nothing was sent from \(place)"]
        case .sending:
            let link = report.hadLink ? ", and the link is invalid" : ""
            lines = ["move cancelled; the account in \(place) is unchanged\(link)"]
            if report.chunksLeft > 0 {
                lines.append(
                    "\(Count.text(report.chunksLeft, "chunk")) could not be deleted from the relays and will expire"
                )
            }
            if let archive = report.archiveLeft {
                lines.append(
                    "\(archive) still exists; anyone with it and the passphrase has the whole account")
            }
        case .receiving where report.accountStays:
            lines = [
                "move cancelled; the received account in \(place) was kept. Use it here or on the other machine, "
                    + "never on both."
            ]
        case .receiving:
            lines = ["move cancelled; received data was removed, and nothing was imported"]
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
