import ArgumentParser
import Valise
import ValiseEncoding

struct MigrateStatus: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show migrations, and where a database differs from them.",
        discussion: """
            Compares the applied scripts with those of this program, and the live schema with the one that the \
            scripts create.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with status 20 if migrations are pending.")
    var exitCode = false

    func run() throws {
        var operation = InspectAccount(try account.find(output), passphrase: passphrase.choice)
        operation.needsPassphrase = true
        operation.notesUse = true
        let status = try output.run(operation, Answers(passphrase))
        let result = Result(
            chat: status.chat.schema, agent: status.agent.schema, migrationBackup: status.migrationBackup,
            inUse: status.inUse)
        try output.print(result, type: "migrationStatus") { text(status) }
        if let damage = status.damage { throw damage }
        if status.databases.contains(where: { $0.1.access == .refused }) {
            throw ExitStatusError(status: .wrongPassphrase)
        }
        if status.databases.contains(where: { $0.1.access == .failed }) {
            throw ExitStatusError(status: status.inUse == nil ? .failed : .inUse)
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
        let inUse: String?
    }

    private func text(_ status: AccountStatus) -> String {
        var lines: [String] = []
        for (database, status) in status.databases {
            guard let schema = status.schema else {
                lines.append("\(database.rawValue): \(status.problem ?? "not opened")")
                continue
            }
            lines.append(
                "\(database.rawValue): \(schema.origin.rawValue) schema, \(Count.text(schema.applied, "migration"))"
                    + (schema.newest.map { ", newest \($0)" } ?? ""))
            lines += schema.pending.map { "  pending: \($0)" }
            lines += schema.unknown.map { "  unknown: \($0)" }
            if let drift = schema.drift { lines += describe(drift) }
        }
        if status.migrationBackup != nil {
            lines.append("the databases from before the last migration are kept")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func describe(_ drift: DriftReport) -> [String] {
        drift.changedScripts.map { "  changed script: \($0)" }
            + drift.foreignDowns.map { "  different rollback script: \($0)" }
            + drift.missingObjects.map { "  missing: \($0)" }
            + drift.unknownObjects.map { "  not from a migration: \($0)" }
            + drift.changedObjects.map { "  changed: \($0)" }
    }
}
