import ArgumentParser
import ValiseMaintenance

struct MigratePlan: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what a migration would do, and change nothing.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var target: MigrationTarget
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.find()
        let key = try AccountKey(location, passphrase).key()
        let plan = try target.migration().plan(location, passphrase: key)
        try output.print(plan, type: "migrationPlan") { MigrationPlanText.text(plan) }
    }
}
