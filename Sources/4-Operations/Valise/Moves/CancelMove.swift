import SystemPackage
public import ValiseAccounts
public import ValiseMoves

/// Cancels a move and undoes what it did on this machine.
public struct CancelMove: Operation {
    package var account: AccountLocation
    /// The name of the move, where the account has several.
    package var id: String?
    /// Whether it is cancelled without a question although the other machine may have received the account.
    package var acceptsReceived = false
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?

    /// - Parameters:
    ///   - account: the account that was sent or received.
    ///   - id: of the move, where there are several.
    public init(of account: AccountLocation, id: String? = nil) {
        self.account = account
        self.id = id
    }

    /// Cancels what is under way of the moves of the account.
    public func plan(in context: OperationContext) async throws -> MovePlan {
        let listed = try await ListOperations([.moves], includesEnded: true).run(in: context)
        let moves = listed.records.compactMap(\.move).filter {
            id == nil ? $0.directory == JobPath(account.directory).absolute : $0.id == id
        }
        return MovePlan(effects: moves.filter(\.isUnderWay).map { .cancelMove($0) })
    }

    public func run(in context: OperationContext) async throws -> CancelReport {
        let reporter = MoveReporter(context)
        let report = try await MoveRelay.during(account, context) {
            try await MoveStates(context.folders).withEngine(proxy) { move in
                try await move.cancel(
                    account, id: id, agree: { try await agree(context) }, report: reporter.tell)
            }
        }
        await MoveLeftovers.remove(of: account, report.side, context)
        return report
    }

    /// That an account is used on two machines cannot be undone.
    private func agree(_ context: OperationContext) async throws {
        if acceptsReceived { return context.note(MoveNotice.mayBeReceived) }
        try await context.questions.require(
            .cancelReceived(account),
            unasked: OperationError(
                .invalid,
                "the relays no longer offer this account, so the other machine may have received it. Nothing was changed.",
                subject: account.directory.string, need: .agreement))
    }
}

/// Removes the record of a move that is over or cannot be read, after ``Question/forgetMove(_:)``.
public struct ForgetMove: Operation {
    package var id: String

    /// - Parameter id: of the move.
    public init(_ id: String) { self.id = id }

    /// - Throws: ``OperationError`` with `notFound` where there is no such move; as a run where it is refused.
    public func plan(in context: OperationContext) async throws -> MovePlan {
        let found = try await record(context)
        try await context.blocking { _ in try MoveStates(context.folders).engine().requireForgettable(id) }
        return MovePlan(effects: [.removeRecord(found)])
    }

    public func run(in context: OperationContext) async throws {
        let found = try await record(context)
        try await MoveStates(context.folders).engine().forget(id) {
            try await context.questions.require(
                .forgetMove(found), unasked: .unasked("removing the record of a move", subject: id))
        }
    }

    private func record(_ context: OperationContext) async throws -> OperationRecord {
        let moves = try await ListOperations([.moves], includesEnded: true).run(in: context)
        guard let found = moves.records.first(where: { $0.move?.id == id }) else {
            throw OperationError(.notFound, "no such move", subject: id)
        }
        return found
    }
}

/// Shows the link and words of a sent account again. No relay is contacted.
public struct ShowMoveLink: Operation {
    package var account: AccountLocation

    /// - Parameter account: the account that was sent.
    public init(of account: AccountLocation) { self.account = account }

    public func run(in context: OperationContext) async throws -> SentAccountReport {
        try await context.blocking { _ in try MoveStates(context.folders).refuseID(account) }
        let sent = try await MoveStates(context.folders).engine().sent(account)
        return SentAccountReport(sent: sent, isFirst: false, isServed: false)
    }
}

extension MoveSummary {
    /// Of one whose record is damaged.
    var unreadable: DeviceMigrationError {
        DeviceMigrationError(
            .damagedRecord, "the record of this move is unreadable. Sent data will expire.", subject: id,
            remedy: .forgetMove(id))
    }

    /// Whether a process of this machine serves what was sent, whether it runs or not.
    package func isServed(in folders: ValiseFolders) -> Bool {
        guard let location = try? AccountLocation.place(FilePath(directory), prefix: prefix) else {
            return false
        }
        return (try? MoveRelay.isThere(location, folders)) == true
    }
}
