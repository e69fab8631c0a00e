public import SystemPackage
public import ValiseAccounts

/// Finds accounts where the apps keep them, or in folders such as a mounted disk or the backup of a phone. Needs no
/// passphrase.
public struct FindAccounts: Operation {
    private let user: UserHome
    private let folders: [FilePath]

    /// - Parameters:
    ///   - user: whose usual places are looked at.
    ///   - folders: looked at in place of the usual places; none for these.
    public init(of user: UserHome, in folders: [FilePath] = []) {
        self.user = user
        self.folders = folders
    }

    public func run(in context: OperationContext) async throws -> FoundAccounts {
        try await context.blocking { progress in
            var search = AccountSearch()
            if folders.isEmpty { search.search(user) }
            for folder in folders { try search.search(below: folder, progress: progress) }
            return search.found
        }
    }
}
