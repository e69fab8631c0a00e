import Valise
import ValiseTerminal

/// The source of an account, parsed from arguments.
enum MoveSourceArguments {
    /// - Parameter arguments: links, `-` for links on standard input, or one archive; none to resume a run.
    /// - Throws: ``CommandError``; `OperationError`; `FileError`. No error contains a link: anyone with it has the account.
    static func source(_ arguments: [String]) throws -> MoveSource? {
        guard let first = arguments.first else { return nil }
        if arguments.count == 1, first != FileStreams.dash { return try MoveSource.named(first) }
        return .links(
            try arguments.flatMap {
                try $0 == FileStreams.dash ? StandardInput.links() : [MoveSource.link($0)]
            })
    }
}
