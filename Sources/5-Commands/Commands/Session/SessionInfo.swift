import ArgumentParser
import Valise
import ValiseEncoding

struct SessionInfo: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show whose a store is and what it contains.",
        discussion: """
            Shows the Session ID, the version of the schema, and how many conversations, messages and contacts there are. \
            The exit status is 3 if rows could not be read.
            """)

    @OptionGroup var store: SessionStoreArgument
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = SummarizeSession(store.path, passphrase: passphrase.choice)
        let summary = try output.run(operation, Answers(passphrase))
        try output.print(summary, type: "sessionInfo") { Self.text(summary) }
        for warning in summary.warnings { output.warn(warning) }
        try output.complain(damaged: summary.damaged)
    }

    private static func text(_ summary: SessionSummary) -> String {
        let kinds = summary.conversations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let total = summary.conversations.values.reduce(0, +)
        let unread = summary.unread.map { $0 > 0 ? " (\($0) unread)" : "" } ?? ""
        var rows = [
            ["store", summary.program.name],
            ["Session ID", summary.sessionID ?? "not stored"],
            ["schema", schema(summary.schema)],
            ["database", Count.bytes(summary.databaseSize)],
            ["conversations", "\(total)" + (kinds.isEmpty ? "" : " (\(kinds))")],
            ["messages", "\(summary.messages)\(unread)"],
            [
                "contacts",
                "\(summary.contacts)" + (summary.blocked > 0 ? " (\(summary.blocked) blocked)" : ""),
            ],
            ["configurations", "\(summary.configurations.count)"],
        ]
        if let files = summary.files { rows.append(["files", "\(files)"]) }
        return SnapshotText.table(rows, rightAligned: []).map(\.withoutControls).joined(separator: "\n")
    }

    private static func schema(_ version: SessionSchemaVersion) -> String {
        if let migrations = version.migrations {
            let last = version.lastMigration.map { ", the last one \($0)" } ?? ""
            return Count.text(migrations, "migration") + last
        }
        let own = version.userVersion.map { "user_version \($0)" } ?? ""
        return version.lokiSchema.map { "\($0) (\(own))" } ?? own
    }
}
