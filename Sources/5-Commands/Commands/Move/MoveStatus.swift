import ArgumentParser
import Valise

struct MoveStatus: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show all moves on this machine and their next steps.",
        discussion: """
            Shows the ID and state of each move of this user, how long the relays still keep the upload, and what to \
            do next. Links are not shown; use 'valise move link'.
            """)

    @Argument(
        help: ArgumentHelp("Only moves of this folder, or the move with this ID.", valueName: "dir|id"),
        completion: .directory)
    var directory: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let wanted = directory.map { JobPath(FilePath($0)).absolute }
        let moves = try output.run(ListOperations([.moves], includesEnded: true)).records
            .compactMap(\.move)
            .filter { wanted == nil || $0.directory == wanted || $0.id == directory }
        try output.print(["moves": moves], type: "moves") {
            moves.isEmpty
                ? "no moves"
                : moves.flatMap { MoveStateText(move: $0).lines }.joined(separator: "\n")
        }
    }
}
