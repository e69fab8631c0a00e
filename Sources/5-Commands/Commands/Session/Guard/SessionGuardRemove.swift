import ArgumentParser
import Valise
import ValiseEncoding

struct SessionGuardRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a guard.",
        discussion:
            "On a terminal, you are asked to confirm first. Refuses a folder that contains anything else.")

    @OptionGroup var guarded: SessionGuardArgument
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = RemoveSessionGuard(FilePath(guarded.path))
        if dryRun.isAsked { return try output.show("sessionGuardRemoval", files: output.plan(operation)) }
        let removed = try output.run(operation, Answers(input, consent))
        try output.print(removed, type: "sessionGuardRemoved") {
            "removed \(removed.path); freed \(Count.bytes(removed.freed))".withoutControls
        }
    }
}
