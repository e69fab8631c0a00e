import ArgumentParser
package import Valise
import ValiseEncoding
import ValiseTerminal

struct RelayMigrate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Move a relay's records and chunks to another storage.",
        discussion: """
            A storage is embedded, postgres, embedded+s3 or postgres+s3, with the connections from the relay's settings. \
            Without --online, stop all relays first: the destination then gets exactly what the source has, and both are \
            compared. With --online, the source's relay may run: migrate online first, then stop it and run again, which \
            takes much less time. An interrupted migration continues when it is run again. The counters of the day are \
            not moved.
            """)

    @Option(help: ArgumentHelp("The storage to move from.", valueName: "storage"))
    var from: RelayStoreChoice

    @Option(help: ArgumentHelp("The storage to move to.", valueName: "storage"))
    var to: RelayStoreChoice

    @Flag(help: "Move what can be moved while the relay runs.")
    var online = false

    @Flag(name: .customLong("no-verify"), help: "Do not read the moved chunks again at the end.")
    var skipsVerification = false

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard from != to else { throw ValidationError("--from and --to are the same storage") }
    }

    func run() throws {
        var operation = MigrateRelay(in: try relay.find(), from: from, to: to)
        operation.pass = online ? .online : .final
        operation.verifiesContent = !skipsVerification
        if dryRun.isAsked {
            let plan = try output.plan(operation).source
            return try output.show(
                "relayMigration",
                would: [
                    "move \(Count.text(plan.chunks, "chunk")) with \(Count.bytes(plan.usedSpace)) from \(from.text) to "
                        + to.text
                ])
        }
        let report = try output.run(operation)
        try output.print(report, type: "relayMigrated") { text(report) }
        if report.isComplete == false { throw ExitStatusError(status: .damaged) }
        if report.lostBodies > 0, !online {
            throw ExitStatusError(status: .entryErrors)
        }
    }

    private func text(_ report: StoreMigrationReport) -> String {
        let (source, removed) = (report.source, report.removedChunks + report.removedBodies)
        var lines = [
            "\(Count.text(source.chunks, "chunk")) for \(Count.text(source.recipients, "recipient")), "
                + "\(Count.bytes(source.usedSpace)) stored",
            "moved \(Count.text(report.movedBodies, "stored chunk")), \(Count.bytes(report.movedBytes)) copied; "
                + "\(report.presentBodies) already moved, \(removed) removed",
        ]
        if report.lostBodies > 0 {
            lines.append("\(Count.text(report.lostBodies, "chunk")) missing or damaged at the source")
        }
        switch report.comparison {
        case nil: lines.append("stop the relay and run again without --online to complete the migration")
        case let comparison? where comparison.isEqual: lines.append("the destination is complete")
        case let comparison?:
            lines += comparison.named.prefix(10).map { "error: \($0.chunk): \($0.kind.rawValue)" }
            lines.append(
                "the destination is not complete: \(Count.text(comparison.differences, "difference")), "
                    + "\(Count.text(comparison.check.findings, "damaged or missing chunk"))")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}

extension RelayStoreChoice: ExpressibleByArgument {
    package init?(argument: String) { self.init(text: argument) }
}
