import ValiseConcurrency
import ValiseFailures
import ValiseKeys
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Makes a repository for backups, and opens it once more from where it is stored.
///
/// A run that was killed has made a repository whose password is known, or none: the next run then makes one.
package struct InitializeRepository: Operation {
    package var place: RepositoryPlace
    package var access = StorageAccess()
    /// Gives the new password, once it is known that a repository can be made.
    package var password: @Sendable () async throws -> SharedSecret
    /// Whether the password may be easy to guess.
    package var allowsWeak = false
    /// Of the format: 1, or 2 with compression.
    package var version = RepositoryConfig.versions.upperBound
    /// A sheet to print; nil for none.
    package var sheet: RepositorySheet?

    package init(
        at place: RepositoryPlace, password: @escaping @Sendable () async throws -> SharedSecret
    ) {
        self.place = place
        self.password = password
    }

    package func plan(in context: OperationContext) async throws -> RepositoryChanges {
        let store = try place.store(access, TransferLimits(), in: context)
        return try await context.blocking { _ in
            try refuseObstacles(store)
            var plan = RepositoryChanges(["create a repository in \(place.absoluteText)"])
            if let sheet {
                try plan.files.write([sheet.file])
                try plan.files.lookAtSpace(for: sheet.file)
            }
            return plan
        }
    }

    package func run(in context: OperationContext) async throws -> InitializedRepository {
        let store = try place.store(access, TransferLimits(), in: context)
        // Nobody is asked for a password in vain.
        try await context.blocking { _ in try refuseObstacles(store) }
        let password = try await password()
        try context.accept(newPassword: password, evenIfWeak: allowsWeak)
        return try await context.blocking { progress in
            try progress(OperationProgress("creating the repository"))
            let repository = try Repository.create(
                in: store, password: password.bytes, .calibrated(), version: version)
            context.remember(repository, at: place) { _ in }
            try progress(OperationProgress("opening the repository"))
            try prove(repository, store, password)
            return InitializedRepository(
                repository: repository.config.id.text, place: place.absoluteText, version: version,
                key: repository.keyID.text, sheet: try draw(password, repository))
        }
    }

    /// - Throws: `RepositoryError`: `exists`; `StorageError`; whatever is in the way of the sheet.
    private func refuseObstacles(_ store: any BlobStore) throws {
        guard RepositoryConfig.versions.contains(version) else {
            throw RepositoryError(.invalid, "no version \(version) of repositories exists")
        }
        try sheet?.check()
        guard try !store.has(.config) else {
            throw RepositoryError(
                .exists, "there is a repository already. Nothing was changed.", store.location)
        }
    }

    private func prove(_ made: Repository, _ store: any BlobStore, _ password: SharedSecret) throws {
        do {
            _ = try Repository.open(store, password: password.bytes, hint: made.keyID)
        } catch let error as RepositoryError {
            throw RepositoryError(
                error.kind == .wrongPassword ? .damaged : error.kind,
                "the repository was created and cannot be opened again: \(error.message)", store.location,
                cause: error)
        }
    }

    /// The repository stays where the sheet cannot be written.
    private func draw(_ password: SharedSecret, _ repository: Repository) throws -> RepositorySheetReport? {
        do {
            return try sheet?.draw(password, of: repository, at: place)
        } catch let error as any Failure {
            throw OperationError(
                error.code,
                "the repository was created, but its recovery sheet was not written: \(error.message)",
                subject: error.subject, remedy: error.remedy)
        }
    }
}

/// A repository that was made.
package struct InitializedRepository: OperationReport {
    package let type = "backupInitialized"
    /// Its own ID, in hexadecimal digits.
    package let repository: String
    package let place: String
    package let version: Int
    /// The ID of its first key.
    package let key: String
    /// Absent where none was asked for.
    package let sheet: RepositorySheetReport?
}
