import ArgumentParser
import Valise
import ValiseEncoding

struct StoreStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the size of a store and its last verification.",
        discussion: """
            Lists all objects and reads none of them. The last verification is that of this user on this machine. With \
            --exit-code, the exit status is 20 if there was none, if it found damage, or if it is too old.
            """)

    @OptionGroup var store: StoreArgument

    @Flag(help: "Exit with status 20 if the store was not verified in time, or is damaged.")
    var exitCode = false

    @Option(
        help: ArgumentHelp(
            "The age at which a complete verification is too old, such as 30d (the default).",
            valueName: "span"))
    var maxAge: AgeArgument?

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    private static let usualMaxAge: Int64 = 30 * 86_400

    func run() throws {
        let status = try output.run(ShowStoreStatus(try options.input(store)), Answers(options))
        try output.print(status, type: "storeStatus") { Self.text(status) }
        if exitCode, isDue(status) { throw ExitStatusError(status: .workDue) }
    }

    private func isDue(_ status: StoreSummary) -> Bool {
        guard status.verification?.hasSucceeded == true, let last = status.lastCompleteReading else {
            return true
        }
        return UTCTime.now.seconds - last > maxAge?.seconds ?? Self.usualMaxAge
    }

    private static func text(_ status: StoreSummary) -> String {
        let counts = [
            ("index entries", status.entries), ("manifests", status.manifests), ("chunks", status.chunks),
            ("staged manifests", status.staged), ("deleted entries", status.trashed),
        ]
        let rows = counts.map { [$0.0, "\($0.1.count)", Count.bytes($0.1.size)] }
        var lines = SnapshotText.table(rows, rightAligned: [1, 2])
        if status.others > 0 { lines.append("\(Count.text(status.others, "object")) of no known kind") }
        lines.append(verification(status))
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func verification(_ status: StoreSummary) -> String {
        guard let last = status.verification else { return "never verified from here" }
        let result = last.hasSucceeded ? "intact" : "damaged"
        let time = UTCTime(seconds: last.time).isoText
        let extent = last.extent == "none" ? "without content" : last.extent
        let complete = status.lastCompleteReading.map {
            "; all read by \(UTCTime(seconds: $0).isoText)"
        }
        return "verified \(time) (\(extent)): \(result)\(complete ?? "")"
    }
}
