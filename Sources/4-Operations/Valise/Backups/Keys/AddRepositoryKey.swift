import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Adds a password to a repository, beside those that open it already.
package struct AddRepositoryKey: Operation {
    package var repository: RepositoryInput
    /// Gives the new password, once the repository is open.
    package var password: @Sendable () async throws -> SharedSecret
    /// Whether the new password may be easy to guess.
    package var allowsWeak = false
    /// Whose key it is. The key file is not encrypted; nil for a word that says nothing.
    package var username: String?
    /// Likewise.
    package var hostname: String?

    package init(
        to repository: RepositoryInput, password: @escaping @Sendable () async throws -> SharedSecret
    ) {
        self.repository = repository
        self.password = password
    }

    package func plan(in context: OperationContext) async throws -> RepositoryChanges {
        let opened = try await repository.open(in: context)
        return try await context.blocking { _ in
            try context.tellOfPasswordChange(opened, at: repository.place, forgets: false)
            return RepositoryChanges(["add a password to the repository in \(repository.place.absoluteText)"])
        }
    }

    package func run(in context: OperationContext) async throws -> AddedRepositoryKey {
        let opened = try await repository.open(in: context)
        let password = try await repository.newPassword(
            for: opened, evenIfWeak: allowsWeak, in: context, password)
        return try await repository.underLock(of: opened, isExclusive: false, in: context) { progress in
            try refuseKnown(password, opened, progress)
            try progress(OperationProgress("adding the password"))
            let id = try opened.addPassword(
                password.bytes, .calibrated(), username: username ?? KeyFile.neutralUser,
                hostname: hostname ?? KeyFile.neutralHost)
            return AddedRepositoryKey(
                repository: opened.config.id.text, key: id.text, keys: try opened.keyIDs().count)
        }
    }

    private func refuseKnown(
        _ password: SharedSecret, _ opened: Repository, _ progress: ProgressHandler
    ) throws {
        let known = try opened.key(openedBy: password.bytes) {
            try progress(OperationProgress("comparing the password with the others"))
        }
        guard let known else { return }
        throw RepositoryError(
            .exists, "this password opens the repository already. Nothing was changed.", known.description)
    }
}

/// A password that was added.
package struct AddedRepositoryKey: OperationReport {
    package let type = "backupKeyAdded"
    package let repository: String
    /// The ID of its key.
    package let key: String
    /// How many keys the repository has now.
    package let keys: Int
}
