import ArgumentParser
import Valise
import ValiseEncoding

struct SessionGuardRestore: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put the database of a guard back in its store.",
        discussion: """
            Close Session first; while it uses the database, nothing is changed. The guard is verified and opened before \
            anything is touched, and the store afterwards; if that fails, the previous database comes back. What is replaced \
            is kept next to the store as NAME-before-restore-TIME. An interrupted restore is completed or rolled back by the \
            next one. Start the version of Session that you had when the guard was taken.
            """)

    @OptionGroup var guarded: SessionGuardArgument

    @Option(
        help: ArgumentHelp("The store, if it is not where the guard was taken.", valueName: "store"),
        completion: .directory)
    var into: String?

    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = RestoreSessionGuard(
            FilePath(guarded.path), into: into.map { FilePath($0) }, passphrase: passphrase.choice)
        let answers = Answers(passphrase, yes: consent.yes)
        if dryRun.isAsked {
            let plan = try output.plan(operation, answers)
            return try output.print(plan, type: "sessionRestorePlan") {
                (plan.isInPlace
                    ? "nothing would change"
                    : "would replace the database in \(plan.store) with \(plan.content.text)")
                    .withoutControls.asDryRun()
            }
        }
        let restored = try output.run(operation, answers)
        try output.print(restored, type: "sessionRestored") { Self.text(restored) }
    }

    private static func text(_ restored: RestoredSession) -> String {
        var lines = [
            "\(restored.store): \(restored.content.schema.text), \(restored.content.text), as of \(restored.taken)"
        ]
        lines.append(restored.kept.map { "the previous database is in \($0)" } ?? "nothing was replaced")
        if restored.missingAttachments > 0 {
            lines.append(
                "\(Count.text(restored.missingAttachments, "attachment file")) fewer than when the guard was taken"
            )
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
