import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles
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

    /// Refuses the id of a move where its folder is needed: no folder of that name is there.
    /// - Throws: ``OperationError`` with `notFound`; `FileError`. Records that cannot be read are no failure of this.
    func refuseID(_ account: AccountLocation) throws { try refuseID(account.directory) }

    /// - Parameter sends: whether the account would be sent.
    func refuseID(_ folder: FilePath, sends: Bool = false) throws {
        let name = folder.string
        guard try !FileSystem().exists(folder), MoveSummary.isID(name), let moves = try? engine().moves()
        else { return }
        guard let move = moves.first(where: { $0.id == name }) else {
            guard sends else { return }
            throw OperationError(
                .notFound, "neither a folder nor the ID of a move", subject: name, need: .knownMove)
        }
        // One that goes into an archive is continued with its name.
        let canSend = sends && move.side == .sending && move.isUnderWay && move.archive == nil
        let account = Remedy.Account(directory: FilePath(move.directory), prefix: move.prefix)
        // The folder of a record that cannot be read is unknown.
        let named: Remedy? = move.isDamaged ? nil : .nameFolder(account.directory)
        throw OperationError(
            .notFound, "this is the ID of a move, not the folder of an account", subject: name,
            need: .folderOfMove, remedy: canSend ? .continueSending(account) : named)
    }

    /// Runs a step of a move, with connections that are closed at its end.
    func withEngine<Value: Sendable>(
        _ proxy: ProxyAddress?, _ step: (AccountMove) async throws -> Value
    ) async throws -> Value {
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing { try await step(engine(network)) }
    }
}
