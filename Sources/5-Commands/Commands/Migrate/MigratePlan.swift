import ArgumentParser
import Valise

struct MigratePlan: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what a migration would do.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var target: MigrationTarget
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ListMigrations(
            of: try account.find(output), to: target.targets, passphrase: passphrase.choice)
        let plan = try output.run(operation, Answers(passphrase))
        try output.print(plan, type: "migrationPlan") { plan.text }
    }
}
