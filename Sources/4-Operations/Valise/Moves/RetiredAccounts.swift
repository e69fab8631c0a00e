import SystemPackage
public import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMoves

/// Removes a retired account, after ``Question/removeRetired(_:)``.
public struct RemoveRetired: Operation {
    package var account: AccountLocation

    /// - Parameter account: which is retired.
    public init(_ account: AccountLocation) { self.account = account }

    public func plan(in context: OperationContext) async throws -> MovePlan {
        try await context.blocking { _ in
            try MoveStates(context.folders).refuseID(account)
            _ = try RetiredMark.required(account)
            return MovePlan(effects: [.removeRetired(account)])
        }
    }

    public func run(in context: OperationContext) async throws -> RemovedAccount {
        try await context.blocking { _ in
            try MoveStates(context.folders).refuseID(account)
            _ = try RetiredMark.required(account)
            let isAllRemoved = try AccountRetirement(account).remove {
                try context.require(
                    whileBlocking: .removeRetired(account),
                    unasked: .unasked("removing a retired account", subject: account.directory.string))
            }
            return RemovedAccount(account: account.directory.string, mediaLeft: !isAllRemoved)
        }
    }
}

/// A retired account that was removed.
public struct RemovedAccount: OperationReport {
    package let type = "moveRemoved"
    /// Its folder.
    package let account: String
    /// Whether media were kept, because another account may use them.
    public let mediaLeft: Bool
}

/// Restores a retired account, if the moved one was lost, after ``Question/restoreRetired(_:moved:)``.
public struct RestoreRetired: Operation {
    package var account: AccountLocation

    /// - Parameter account: which is retired.
    public init(_ account: AccountLocation) { self.account = account }

    public func plan(in context: OperationContext) async throws -> MovePlan {
        try await context.blocking { _ in
            try MoveStates(context.folders).refuseID(account)
            let mark = try RetiredMark.required(account)
            return MovePlan(effects: [.restoreRetired(account, moved: mark.moved)])
        }
    }

    public func run(in context: OperationContext) async throws {
        let moves = try MoveStates(context.folders).engine()
        let move = try await context.blocking { _ in
            try MoveStates(context.folders).refuseID(account)
            let mark = try RetiredMark.required(account)
            try AccountRetirement(account).undo {
                try context.require(
                    whileBlocking: .restoreRetired(account, moved: mark.moved),
                    unasked: .unasked("restoring a retired account", subject: account.directory.string))
            }
            return try moves.summary(of: account, side: .sending)
        }
        // It would go on saying that the account is out of use.
        if let move, !move.isUnderWay { try await moves.forget(move.id) }
    }
}

extension RetiredMark {
    /// - Throws: ``OperationError`` with `notFound` where there is none.
    fileprivate static func required(_ location: AccountLocation) throws -> RetiredMark {
        guard let mark = try read(location, fileSystem: FileSystem()) else {
            throw OperationError(
                .notFound, "no retired account here. Nothing was changed.",
                subject: location.directory.string)
        }
        return mark
    }
}
