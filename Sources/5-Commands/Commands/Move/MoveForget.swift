import ArgumentParser
import Valise

struct MoveForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove the record of a finished or unreadable move.",
        discussion: """
            The account is not changed. With an unreadable record, the keys to the sent data are removed too, and the \
            data expires on its relays. Received data is also removed. If its location cannot be read, a hidden folder \
            '.move-ID.valise' with the received archive may remain in the account folder or its parent. On a terminal, \
            you are asked to confirm first; scripts are not.
            """)

    @Argument(help: ArgumentHelp("The move ID, as shown by 'valise move status'.", valueName: "id"))
    var id: String

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = ForgetMove(id)
        if dryRun.isAsked { return try output.show("moveForget", would: output.plan(operation).changes) }
        try output.run(operation, Answers(input, consent))
        try output.print(["id": id], type: "moveForgotten") { "removed the record of \(id.withoutControls)" }
    }
}
