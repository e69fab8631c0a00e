import SystemPackage
package import ValiseAccounts
import ValiseFailures
package import ValiseMoves

/// Cancels the move that a user names: by its account, or by its id in the list of moves.
package struct CancelNamedMove: Operation {
    package var name: String
    package var prefix: String?
    /// As ``CancelMove/acceptsReceived``.
    package var acceptsReceived = false
    /// Relays are reached through it; nil for direct connections.
    package var proxy: ProxyAddress?

    /// - Parameters:
    ///   - name: the folder of the account that was sent or received, or the id of a move.
    ///   - prefix: which account, where the folder holds several. No id is looked for then.
    package init(_ name: String, prefix: String? = nil) {
        self.name = name
        self.prefix = prefix
    }

    /// Cancels the moves of the account, or the one with the id.
    package func plan(in context: OperationContext) async throws -> MovePlan {
        try await operation(context).plan(in: context)
    }

    /// - Throws: as ``CancelMove``; `DeviceMigrationError` with `damagedRecord` for an id whose record is unreadable.
    package func run(in context: OperationContext) async throws -> CancelledMove {
        let operation = try await operation(context)
        return CancelledMove(account: operation.account, report: try await operation.run(in: context))
    }

    private func operation(_ context: OperationContext) async throws -> CancelMove {
        var operation: CancelMove
        if let move = try await moveOfID(context) {
            let account = try AccountLocation.place(FilePath(move.directory), prefix: move.prefix)
            operation = CancelMove(of: account, id: move.id)
        } else {
            operation = CancelMove(of: try AccountLocation.place(FilePath(name), prefix: prefix))
        }
        operation.proxy = proxy
        operation.acceptsReceived = acceptsReceived
        return operation
    }

    private func moveOfID(_ context: OperationContext) async throws -> MoveSummary? {
        guard prefix == nil else { return nil }
        let moves = try await ListOperations([.moves], includesEnded: true).run(in: context)
        guard let move = moves.records.compactMap(\.move).first(where: { $0.id == name }) else { return nil }
        guard !move.isDamaged else { throw move.unreadable }
        return move
    }
}

/// A move that was cancelled.
package struct CancelledMove: Sendable {
    /// The account that was sent or received.
    package let account: AccountLocation
    /// What became of it.
    package let report: CancelReport
}
