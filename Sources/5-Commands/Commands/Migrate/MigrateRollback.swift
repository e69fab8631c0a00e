import ArgumentParser
import Valise
import ValiseEncoding

struct MigrateRollback: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Restore both databases from before the last migration.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = RollBackMigration(of: try account.find(output))
        if dryRun.isAsked { return try output.show("migrationRollback", files: output.plan(operation)) }
        try output.run(operation, Answers(input, consent))
        try output.print(Result()) { "restored the databases from before the last migration" }
    }

    private struct Result: Encodable {
        let type = "migrationRolledBack"
    }
}

struct MigrateConfirm: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Remove the databases kept from before the last migration.",
        discussion: "It cannot be rolled back then. On a terminal, you are asked to confirm first.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ConfirmMigration(of: try account.find(output))
        if dryRun.isAsked {
            let size = Count.bytes(try output.plan(operation).freed)
            return try output.show(
                "migrationConfirmation",
                would: ["remove the databases from before the last migration (\(size))"])
        }
        let report = try output.run(operation, Answers(input, consent))
        try output.print(report) {
            "removed the databases from before the last migration; freed \(Count.bytes(report.freed))"
        }
    }
}
