import ArgumentParser
import Valise
import ValiseEncoding

struct RelayStatusCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Ask a running relay how it is.",
        discussion: "The exit status is 10 when no relay runs in the folder.")

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let status = try output.run(ShowRelayStatus(in: try relay.find()))
        try output.print(status, type: "relayStatus") { text(status) }
    }

    private func text(_ status: RelayStatus) -> String {
        let usage = status.usage
        let statistics = status.statistics
        let connections = status.connections
        let quota = usage.quota.map { " of \(ByteCount.text($0))" } ?? ""
        let rules = [
            status.acceptsNewFiles ? "new files are taken" : "no new files are taken",
            status.needsPassword ? "with a password" : nil, "kept for \(status.lifetime / 3600) hours",
        ].compactMap { $0 }.joined(separator: ", ")
        return """
            address      \(status.address)
            running      since \(UTCTime(seconds: status.started).text) UTC, version \(status.version), \
            process \(status.process)
            rules        \(rules)
            kept         \(Count.text(usage.uploaded, "chunk")), \(ByteCount.text(usage.usedSpace))\(quota); \
            \(Count.text(usage.chunks, "chunk")) announced, for \(Count.text(usage.recipients, "recipient"))
            coming in    \(ByteCount.text(usage.reservedSpace))
            connections  \(connections.connections) open, \(connections.accepted) accepted, \
            \(connections.turnedAway) turned away, \(connections.misbehaved) misbehaved
            traffic      \(ByteCount.text(connections.received)) in, \(ByteCount.text(connections.sent)) out
            today        \(statistics.filesUploaded) uploaded, \(statistics.fileDownloads) downloaded, \
            \(statistics.filesDeleted) deleted, \(statistics.filesExpired) expired
            """.withoutControlsInLines
    }
}
