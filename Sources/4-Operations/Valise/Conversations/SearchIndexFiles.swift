import SystemPackage
import ValiseAccounts
import ValiseChatLog
import ValiseConcurrency

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the search index of an account is, and the state of the account when that was asked.
struct IndexPlace: Sendable {
    let folder: FilePath
    let database: IndexedDatabase

    /// - Throws: ``OperationError``: `invalid` for an export, `notFound` where no folder for the user's state is known; as the
    ///   finding of an account.
    init(of input: ConversationInput, in context: OperationContext) async throws {
        guard let state = context.folders.state else {
            throw OperationError(.notFound, "no folder for search indexes", need: .stateFolder)
        }
        folder = state.appending("search")
        database = try await context.blocking { [path = input.path, prefix = input.prefix] _ in
            guard try !ExportedLog.isThere(path) else {
                throw OperationError(
                    .invalid, "an export has no search index. Indexes are kept of accounts and archives.",
                    subject: path.string)
            }
            if let session = try SessionPlace.find(path) {
                return try IndexedDatabase(at: session.database ?? session.path, now: Self.now)
            }
            guard try SnapshotName.find(path) == nil, try StoreName.find(path) == nil else {
                throw OperationError(
                    .invalid,
                    "snapshots and stores have no search index. Indexes are kept of accounts and archives.",
                    subject: path.string)
            }
            return try IndexedDatabase(AccountPlace.find(path, prefix: prefix), now: Self.now)
        }
    }

    /// Nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A search had to make an index.
package struct SearchIndexNote: OperationNote {
    package let text: String

    /// Nil where there is nothing to say.
    init?(_ state: SearchIndex.State) {
        switch state {
        case .current, .updated: return nil
        case .made: text = "made a search index of this account"
        case .replaced:
            text =
                "the search index could not be opened with this passphrase, or was damaged, and was made again"
        }
    }
}

/// Removes the search index of an account. The account is not touched.
package struct RemoveSearchIndex: Operation {
    package var input: ConversationInput

    /// - Parameter input: the account; its passphrase is not needed.
    package init(_ input: ConversationInput) { self.input = input }

    /// - Returns: whether there is one.
    package func plan(in context: OperationContext) async throws -> SearchIndexRemoval {
        let place = try await IndexPlace(of: input, in: context)
        return try await context.blocking { _ in
            SearchIndexRemoval(found: try SearchIndex.isThere(in: place.folder, of: place.database))
        }
    }

    package func run(in context: OperationContext) async throws -> SearchIndexRemoval {
        let place = try await IndexPlace(of: input, in: context)
        return try await context.blocking { _ in
            SearchIndexRemoval(found: try SearchIndex.remove(in: place.folder, of: place.database))
        }
    }
}

/// Whether an account had a search index.
package struct SearchIndexRemoval: OperationReport {
    package let found: Bool
}
