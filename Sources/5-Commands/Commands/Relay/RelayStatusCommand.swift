import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct RelayStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show a relay's status.",
        discussion: "The exit status is 10 if no relay is running in the folder.")

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let status = try output.run(ShowRelayStatus(in: try relay.find()))
        try output.print(status, type: "relayStatus") { text(status) }
    }

    private func text(_ status: RelayStatus) -> String {
        let usage = status.usage
        let statistics = status.statistics
        let connections = status.connections
        let quota = usage.quota.map { " of \(Count.bytes($0))" } ?? ""
        let rules = [
            status.acceptsNewFiles ? "accepts new files" : "accepts no new files",
            status.needsPassword ? "password required" : nil,
            "kept for \(Count.text(status.lifetime / 3600, "hour"))",
        ].compactMap { $0 }.joined(separator: ", ")
        return """
            address      \(status.address)
            running      since \(UTCTime(seconds: status.started).text) UTC, version \(status.version), \
            PID \(status.process)
            rules        \(rules)
            stored       \(Count.text(usage.uploaded, "chunk")), \(Count.bytes(usage.usedSpace))\(quota); \
            \(Count.text(usage.chunks, "chunk")) announced, for \(Count.text(usage.recipients, "recipient"))
            incoming     \(Count.bytes(usage.reservedSpace))
            connections  \(connections.connections) open, \(connections.accepted) accepted, \
            \(connections.turnedAway) rejected, \(connections.misbehaved) misbehaved
            traffic      \(Count.bytes(connections.received)) in, \(Count.bytes(connections.sent)) out
            today        \(statistics.filesUploaded) uploaded, \(statistics.fileDownloads) downloaded, \
            \(statistics.filesDeleted) deleted, \(statistics.filesExpired) expired
            """.withoutControlsInLines
    }
}
