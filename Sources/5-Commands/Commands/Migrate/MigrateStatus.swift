import ArgumentParser
import Valise

struct MigrateStatus: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell which migrations were run, and where a database is not what they say.",
        discussion: """
            Compares the scripts that were run with those of this program, and the live schema with what the \
            scripts give.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "End with status 20 when migrations are pending.")
    var exitCode = false

    func run() throws {
        var operation = InspectAccount(try account.find(), passphrase: passphrase.choice)
        operation.needsPassphrase = true
        let status = try output.run(operation, Answers(passphrase))
        let result = Result(
            chat: status.chat.schema, agent: status.agent.schema, migrationBackup: status.migrationBackup)
        try output.print(result, type: "migrationStatus") { text(status) }
        if status.databases.contains(where: { $0.1.access == .refused }) {
            throw ExitStatusError(status: .wrongPassphrase)
        }
        if status.databases.contains(where: { $0.1.schema?.isNewer ?? false }) {
            throw ExitStatusError(status: .unsupported)
        }
        if exitCode, status.databases.contains(where: { !($0.1.schema?.pending.isEmpty ?? true) }) {
            throw ExitStatusError(status: .workDue)
        }
    }

    private struct Result: Encodable {
        let chat: SchemaStatus?
        let agent: SchemaStatus?
        let migrationBackup: Int64?
    }

    private func text(_ status: AccountStatus) -> String {
        var lines: [String] = []
        for (database, status) in status.databases {
            guard let schema = status.schema else {
                lines.append("\(database.rawValue): \(status.problem ?? "not opened")")
                continue
            }
            lines.append(
                "\(database.rawValue): \(schema.origin.rawValue) schema, \(schema.applied) migrations"
                    + (schema.newest.map { ", newest \($0)" } ?? ""))
            lines += schema.pending.map { "  to run: \($0)" }
            lines += schema.unknown.map { "  not known here: \($0)" }
            if let drift = schema.drift { lines += describe(drift) }
        }
        if status.migrationBackup != nil {
            lines.append("the databases from before the last migration are kept")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func describe(_ drift: DriftReport) -> [String] {
        drift.changedScripts.map { "  changed script: \($0)" }
            + drift.foreignDowns.map { "  way back is not ours: \($0)" }
            + drift.missingObjects.map { "  missing: \($0)" }
            + drift.unknownObjects.map { "  not from a migration: \($0)" }
            + drift.changedObjects.map { "  changed: \($0)" }
    }
}
