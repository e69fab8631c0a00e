package import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository
package import ValiseSecrets

/// Restores an account, or a part of it, from a snapshot: into a new folder, which appears complete or not at all, or in the place of
/// an account, atomically.
///
/// Databases that are kept open are encrypted again: under the passphrase that is given or known, else a new one. Where an account
/// is replaced and not kept, ``Question/replaceAccount(_:warning:)`` is asked.
package struct RestoreSnapshot: Operation {
    package var repository: RepositoryInput
    /// The first digits of its ID, or `latest`: of the account, else of the repository.
    package var snapshot: String
    /// The folder of the account.
    package var directory: FilePath
    /// What the names of the databases begin with; nil for what is there, or for what they began with when they were backed up.
    package var prefix: String?
    package var options = RestoreChoice()
    /// Encrypts the databases, and opens sealed ones to check them.
    package var passphrase: PassphraseSource
    /// Encrypts the databases instead; judged as a new one.
    package var newPassphrase: PassphraseSource.Given?
    /// Gives a passphrase where none is known: asked for twice.
    package var new: @Sendable () async throws -> SharedSecret

    package init(
        _ snapshot: String, in repository: RepositoryInput, to directory: FilePath,
        passphrase: PassphraseSource = PassphraseSource(),
        new: @escaping @Sendable () async throws -> SharedSecret
    ) {
        self.snapshot = snapshot
        self.repository = repository
        self.directory = directory
        self.passphrase = passphrase
        self.new = new
    }

    package func plan(in context: OperationContext) async throws -> RestorePlan {
        try await look(context) { job in
            let keys = try await RestoreKeys(self, job, asksForNew: false, context)
            return try await context.blocking { progress in try job.plan(keys, progress) }
        }
    }

    /// - Throws: `RepositoryError`; `BackupError`; `StorageError`; ``OperationError``: `alreadyExists` for an account that is there, or
    ///   is newer; `AccountError`: `inUse`; `FileError`. Nothing was changed then, or the error says what the next run completes.
    package func run(in context: OperationContext) async throws -> RestoredSnapshot {
        try await look(context) { job in
            try await context.blocking { _ in try job.refuseObstacles() }
            let keys = try await RestoreKeys(self, job, asksForNew: true, context)
            if job.contents.hasDatabase, options.isUnencrypted {
                try await context.questions.require(
                    .createUnencrypted(job.location),
                    unasked: .unasked("restoring unencrypted databases", subject: directory.string))
            }
            let restored = try await context.blocking { progress in
                try job.run(keys, in: context, progress)
            }
            context.note(RecoveryNote(restored.recovery))
            if let warning = restored.age?.warning(isDone: true, of: "snapshot") {
                context.note(ImportNote.older(warning))
            }
            context.tell(restored.entryFailures)
            return restored
        }
    }

    /// Opens the repository, and looks what is to be restored where.
    private func look<Value: Sendable>(
        _ context: OperationContext, _ body: (RestoreJob) async throws -> Value
    ) async throws -> Value {
        let opened = try await repository.opened(in: context)
        defer { opened.lock.release() }
        let job = try await context.blocking { _ in try RestoreJob(self, opened) }
        return try await body(job)
    }
}

/// What of a snapshot is restored, and what may be replaced.
package struct RestoreChoice: Sendable {
    /// Shell patterns of the names in an archive, in which `media/` stands for the folder of media; none for all.
    package var patterns: [String] = []
    /// Only these; none for all.
    package var databases: Set<AccountDatabase> = []
    /// Whether an account that is there may be replaced.
    package var replacesAccount = false
    /// The name of a folder inside of the account's, in which the replaced account stays; nil to remove it.
    package var keepsPreviousAs: String?
    /// Whether an account that is newer than the snapshot, or another one, may be lost by it.
    package var acceptsOlder = false
    /// Whether databases that are kept open are left unencrypted.
    package var isUnencrypted = false
    /// Whether a new passphrase may be easy to guess.
    package var allowsWeak = false

    package init() {}

    /// Which files.
    var selection: RestoreOptions.Selection {
        if !databases.isEmpty { return .databases(databases) }
        guard !patterns.isEmpty else { return .everything }
        let wanted = patterns.map { EntryPattern(Self.archived($0)) }
        return .entries { name in wanted.contains { $0.matches(name) } }
    }

    private static func archived(_ pattern: String) -> String {
        let media = "media/"
        return pattern.hasPrefix(media) ? "\(ArchiveLayout.files)/\(pattern.dropFirst(media.count))" : pattern
    }
}
