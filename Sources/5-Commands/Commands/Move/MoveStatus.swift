import ArgumentParser
import Valise

struct MoveStatus: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell which moves are under way on this machine, and what comes next.",
        discussion: """
            Shows each move of this user with its name, how far it is, how long the relays still keep what was sent, and \
            what to do. Links are not shown; 'valise move link' does that.
            """)

    @Argument(help: ArgumentHelp("Only of this folder.", valueName: "dir"), completion: .directory)
    var directory: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let wanted = directory.map { JobPath(FilePath($0)).absolute }
        let moves = try output.run(ListOperations([.moves], includesEnded: true)).compactMap(\.move)
            .filter { wanted == nil || $0.directory == wanted }
        try output.print(Result(moves: moves)) {
            moves.isEmpty
                ? "no move is under way"
                : moves.flatMap { MoveStateText($0).lines }.joined(separator: "\n")
        }
    }

    private struct Result: Encodable {
        let type = "moves"
        let moves: [MoveSummary]
    }
}
