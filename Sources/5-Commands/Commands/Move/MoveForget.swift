import ArgumentParser
import Valise

struct MoveForget: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove the record of a move that is over, or cannot be read.",
        discussion: """
            The account stays as it is. With a record that cannot be read go the keys of what it sent, which expires on its \
            relays, and what it had received. Where not even the place of that can be read, a hidden folder \
            '.move-ID.valise' with the received archive may be left in the account's folder or above it.
            """)

    @Argument(help: ArgumentHelp("The name of the move, as 'valise move status' shows it.", valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.run(ForgetMove(id))
        try output.print(Result(id: id)) { "the record of \(id.withoutControls) was removed" }
    }

    private struct Result: Encodable {
        let type = "moveForgotten"
        let id: String
    }
}
