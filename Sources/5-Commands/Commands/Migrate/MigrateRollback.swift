import ArgumentParser
import Valise

struct MigrateRollback: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Restore both databases from before the last migration.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.run(RollBackMigration(of: try account.find(output)))
        try output.print(Result()) { "restored the databases from before the last migration" }
    }

    private struct Result: Encodable {
        let type = "migrationRolledBack"
    }
}

struct MigrateConfirm: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Remove the databases kept from before the last migration.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let freed = try output.run(ConfirmMigration(of: try account.find(output)))
        try output.print(Result(freed: freed)) {
            "removed the databases from before the last migration; freed \(ByteCount.text(freed))"
        }
    }

    private struct Result: Encodable {
        let type = "migrationConfirmed"
        /// In bytes.
        let freed: Int64
    }
}
