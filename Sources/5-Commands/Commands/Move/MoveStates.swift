import SystemPackage
import ValiseFailures
import ValiseMoves
import ValiseTransfers

/// What is kept of moves between two runs.
enum MoveStates {
    /// The records of moves.
    /// - Throws: ``CommandError`` with `notFound` where no folder is known.
    static func folder() throws(CommandError) -> FilePath { try state().appending("moves") }

    /// - Throws: as ``folder()``.
    static func state() throws(CommandError) -> FilePath {
        guard let state = UserFolders.state else {
            throw CommandError(
                .notFound, "the records of moves have no place; set HOME or XDG_STATE_HOME; nothing was sent")
        }
        return state
    }

    /// For what asks no relay.
    static func engine(_ relays: RelayNetwork = RelayNetwork()) throws -> AccountMove {
        AccountMove(
            transfers: FileTransfers(relays: relays, states: try TransferStates.folder()),
            store: try folder())
    }

    /// Runs a step of a move, with connections that are closed at its end.
    static func withEngine<Value: Sendable>(
        _ proxy: ProxyAddress?, _ step: (AccountMove) async throws -> Value
    ) async throws -> Value {
        let network = RelayNetwork(ProxyOption.connection(proxy))
        return try await network.closing { try await step(engine(network)) }
    }
}
