import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Puts a new password in the place of the one that opens a repository. Other passwords stay.
///
/// The new key is stored and opened once more before the previous one is removed. So at each moment one of both opens the
/// repository, and what a killed run has left is told by the next one, which completes it where it is given the same passwords.
package struct ChangeRepositoryPassword: Operation {
    package var repository: RepositoryInput
    /// Gives the new password, once the repository is open.
    package var password: @Sendable () async throws -> SharedSecret
    /// Whether the new password may be easy to guess.
    package var allowsWeak = false

    package init(
        of repository: RepositoryInput, to password: @escaping @Sendable () async throws -> SharedSecret
    ) {
        self.repository = repository
        self.password = password
    }

    package func plan(in context: OperationContext) async throws -> RepositoryChanges {
        let opened = try await repository.open(in: context)
        return try await context.blocking { _ in
            try context.tellOfPasswordChange(opened, at: repository.place, forgets: false)
            return RepositoryChanges([
                "add the new password to the repository in \(repository.place.absoluteText)",
                "remove the key \(opened.keyID), which the current password opens",
            ])
        }
    }

    package func run(in context: OperationContext) async throws -> ChangedRepositoryPassword {
        let opened = try await repository.open(in: context)
        let password = try await repository.newPassword(
            for: opened, evenIfWeak: allowsWeak, in: context, password)
        return try await repository.underLock(of: opened, isExclusive: true, in: context) { progress in
            let known = try opened.key(openedBy: password.bytes) {
                try progress(OperationProgress("comparing the password with the others"))
            }
            if known == opened.keyID { return try complete(opened, context) }
            // A password that is added there stays for ever, as the previous one does.
            try opened.refuseAppendOnly()
            try progress(OperationProgress("adding the new password"))
            let new = try known.map { try beginning($0, opened, context) } ?? add(password, opened, context)
            try progress(OperationProgress("removing the previous password"))
            try remove(opened.keyID, of: opened, keeping: new, context)
            return ChangedRepositoryPassword(opened, key: new, removed: opened.keyID)
        }
    }

    /// The new password is the current one. Where an earlier run has left the previous one, that is removed.
    private func complete(_ opened: Repository, _ context: OperationContext) throws
        -> ChangedRepositoryPassword
    {
        let change = try RepositoryMemories(context.folders).memory(of: opened.config.id)?.passwordChange
        guard let change, change.new == opened.keyID.text,
            let previous = try opened.keyIDs().first(where: { $0.text == change.previous })
        else { return ChangedRepositoryPassword(opened, key: opened.keyID, removed: nil) }
        try remove(previous, of: opened, keeping: opened.keyID, context)
        return ChangedRepositoryPassword(opened, key: opened.keyID, removed: previous)
    }

    private func add(
        _ password: SharedSecret, _ opened: Repository, _ context: OperationContext
    ) throws -> ContentID {
        try opened.addPassword(password.bytes, .calibrated()) { _ = try beginning($0, opened, context) }
    }

    /// Remembers that the change has begun, before anything is stored.
    private func beginning(
        _ new: ContentID, _ opened: Repository, _ context: OperationContext
    ) throws -> ContentID {
        context.remember(opened, at: repository.place) {
            $0.passwordChange = RepositoryMemory.PasswordChange(
                previous: opened.keyID.text, new: new.text)
        }
        return new
    }

    private func remove(
        _ previous: ContentID, of opened: Repository, keeping new: ContentID, _ context: OperationContext
    ) throws {
        do {
            try opened.removePassword(previous, keeping: new)
        } catch is Interruption {
            throw Interruption(state: "Both the previous and the new password open the repository.")
        } catch let error as any Failure {
            throw OperationError(
                error.code,
                "the previous password could not be removed: \(error.message). Both the previous and the new password "
                    + "open the repository.", subject: error.subject, remedy: error.remedy)
        }
        context.remember(opened, at: repository.place) { $0.passwordChange = nil }
    }
}

/// A password that was changed.
package struct ChangedRepositoryPassword: OperationReport {
    package let type = "backupPasswordChanged"
    package let repository: String
    /// The ID of the key that the new password opens.
    package let key: String
    /// The ID of the key that was removed; absent where the new password is the current one.
    package let removedKey: String?
    /// False where the new password is the current one.
    package let changed: Bool

    init(_ opened: Repository, key: ContentID, removed: ContentID?) {
        repository = opened.config.id.text
        self.key = key.text
        removedKey = removed?.text
        changed = removed != nil
    }
}
