import SystemPackage
import ValiseAccounts
import ValiseFailures
package import ValiseMoves
package import ValiseTransfers
import ValiseXFTPClient

/// What is kept of moves between two runs.
package struct MoveStates: Sendable {
    private let folders: ValiseFolders

    package init(_ folders: ValiseFolders) { self.folders = folders }

    /// - Throws: ``OperationError`` with `notFound` where no folder is known.
    func state() throws(OperationError) -> FilePath {
        guard let state = folders.state else {
            throw OperationError(
                .notFound, "no folder for move records. Nothing was sent.", need: .stateFolder)
        }
        return state
    }

    /// For what asks no relay.
    package func engine(_ relays: RelayNetwork = RelayNetwork()) throws -> AccountMove {
        AccountMove(
            transfers: FileTransfers(relays: relays, states: try TransferStates.folder(folders)),
            store: try state().appending("moves"))
    }

    /// The move of an account, whatever became of it; nil for none.
    /// - Throws: ``OperationError``; `FileError`.
    func record(of account: AccountLocation, _ side: MoveSide) throws -> OperationRecord? {
        try engine().summary(of: account, side: side).map { OperationRecord($0) }
    }

    /// Runs a step of a move, with connections that are closed at its end.
    func withEngine<Value: Sendable>(
        _ proxy: ProxyAddress?, _ step: (AccountMove) async throws -> Value
    ) async throws -> Value {
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing { try await step(engine(network)) }
    }
}
