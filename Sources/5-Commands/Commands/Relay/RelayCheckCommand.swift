import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct RelayCheck: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare a relay's records with its chunks.",
        discussion: """
            Finds chunks that the records name and that are missing or have another size, and chunks that no record \
            names. With --content, every chunk is read and compared with its digest. Changes nothing; the relay may run \
            meanwhile. The exit status is 13 if chunks are missing or damaged.
            """)

    @Flag(help: "Read every chunk and compare it with its digest.")
    var content = false

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = CheckRelay(in: try relay.find())
        operation.readsContent = content
        let report = try output.run(operation)
        try output.print(report, type: "relayChecked") { RelayCheckText.text(report) }
        if !report.isIntact { throw ExitStatusError(status: .damaged) }
    }
}

/// Findings for a user.
enum RelayCheckText {
    static func text(_ report: StoreCheckReport) -> String {
        var lines = FirstLines.of(report.named, of: report.findings, indent: "", text: line)
        lines.append(
            "\(Count.text(report.records.uploaded, "recorded chunk")), \(Count.text(report.bodies, "chunk")) stored, "
                + Count.bytes(report.bodySize))
        if report.verifiedBodies > 0 {
            lines.append(
                "\(Count.text(report.verifiedBodies, "chunk")) verified, \(Count.bytes(report.verifiedSize))")
        }
        lines.append(report.isIntact ? "the relay's chunks are intact" : "the relay's chunks are damaged")
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    static func text(_ report: StoreRepairReport) -> String {
        let would = report.isRehearsal ? "would be " : ""
        return """
            \(Count.text(report.markedChunks, "missing or damaged chunk")) \(would)released for another upload
            \(Count.text(report.removedUnrecorded, "chunk")) without a record \(would)removed
            \(Count.bytes(report.removedSize)) \(would)freed
            """
    }

    private static func line(_ entry: StoreCheckReport.Entry) -> String {
        switch entry.kind {
        case .missing: "error: \(entry.body): missing"
        case .wrongSize:
            "error: \(entry.body): \(Count.text(entry.size ?? 0, "byte")) instead of "
                + Count.text(entry.expectedSize ?? 0, "byte")
        case .damaged: "error: \(entry.body): damaged"
        case .unrecorded: "note: \(entry.body): no record, \(Count.bytes(entry.size ?? 0))"
        }
    }
}
