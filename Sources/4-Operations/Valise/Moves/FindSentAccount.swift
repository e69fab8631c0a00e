package import SystemPackage
package import ValiseAccounts
import ValiseFailures

/// Finds the account that a user wants to send, and recognizes the id of a move that is named in its place.
package struct FindSentAccount: Operation {
    package var path: FilePath
    package var prefix: String?

    /// - Parameters:
    ///   - path: the folder; or folder and prefix in one.
    ///   - prefix: which account, where the folder holds several.
    package init(_ path: FilePath, prefix: String? = nil) {
        self.path = path
        self.prefix = prefix
    }

    /// - Throws: ``OperationError`` with `notFound` for the id of a move; as `AccountLocation.find`.
    package func run(in context: OperationContext) async throws -> AccountLocation {
        try await context.blocking { _ -> AccountLocation in
            do {
                return try AccountLocation.find(path, prefix: prefix)
            } catch let error as any Failure where error.code == .notFound {
                try MoveStates(context.folders).refuseID(path, sends: true)
                throw error
            }
        }
    }
}
