import ValiseConcurrency
import ValiseRepository
import ValiseStorage

/// Removes a password from a repository, by the ID of its key. The key whose password was given stays, so that the last one is
/// never removed.
package struct RemoveRepositoryKey: Operation {
    package var repository: RepositoryInput
    /// The first digits of the key's ID.
    package var key: String

    package init(_ key: String, from repository: RepositoryInput) {
        self.repository = repository
        self.key = key
    }

    package func plan(in context: OperationContext) async throws -> RepositoryChanges {
        let opened = try await repository.open(in: context)
        return try await context.blocking { _ in
            try context.tellOfPasswordChange(opened, at: repository.place, forgets: false)
            let id = try opened.removableKey(named: key)
            return RepositoryChanges([
                "remove the key \(id) from the repository in \(repository.place.absoluteText)"
            ])
        }
    }

    package func run(in context: OperationContext) async throws -> RemovedRepositoryKey {
        let opened = try await repository.open(in: context)
        // Before others are made to wait.
        try await context.blocking { _ in _ = try opened.removableKey(named: key) }
        return try await repository.underLock(of: opened, isExclusive: true, in: context) { progress in
            let id = try opened.removableKey(named: key)
            try opened.refuseAppendOnly()
            try progress(OperationProgress("removing the key"))
            try opened.removePassword(id)
            try context.tellOfPasswordChange(opened, at: repository.place, forgets: true)
            return RemovedRepositoryKey(
                repository: opened.config.id.text, key: id.text, keys: try opened.keyIDs().count)
        }
    }
}

/// A password that was removed.
package struct RemovedRepositoryKey: OperationReport {
    package let type = "backupKeyRemoved"
    package let repository: String
    /// The ID of its key.
    package let key: String
    /// How many keys the repository has now.
    package let keys: Int
}
