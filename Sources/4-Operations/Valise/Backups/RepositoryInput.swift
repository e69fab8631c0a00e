import ValiseConcurrency
import ValiseFailures
import ValiseKeys
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// A repository, and what opens it.
package struct RepositoryInput: Sendable {
    package var place: RepositoryPlace
    /// Where its password comes from; nobody keeps it for an account.
    package var password: PassphraseSource.Given?
    package var access = StorageAccess()
    package var limits = TransferLimits()
    /// How long it is waited for locks of others.
    package var wait: Duration = .zero

    package init(_ place: RepositoryPlace, password: PassphraseSource.Given? = nil) {
        self.place = place
        self.password = password
    }

    /// Opens it, and asks for its password where none is given.
    func open(in context: OperationContext) async throws -> Repository {
        let store = try place.store(access, limits, in: context)
        if let password {
            return try await context.blocking { progress in
                try progress(OperationProgress("opening the repository"))
                let secret = try password.read("password")
                return try explaining(store, in: context) {
                    try Repository.open(store, password: secret.bytes)
                }
            }
        }
        // Whether there is one is known before anybody types anything.
        try await context.blocking { _ in try Repository.require(store) }
        let asked = try await context.attempts(of: place.text, isOptional: false, wanted: .repositoryPassword)
        {
            password in
            try await context.blocking { _ in try Self.opened(store, password) }
        }
        guard let asked else { throw OperationError.nobodyToAsk(for: place.text) }
        if let opened = asked.opened { return opened }
        return try await context.blocking { _ in
            try explaining(store, in: context) { try Repository.open(store, password: asked.key.bytes) }
        }
    }

    /// Nil for a wrong password.
    private static func opened(_ store: any BlobStore, _ password: SharedSecret) throws -> Repository? {
        do {
            return try Repository.open(store, password: password.bytes)
        } catch let error as RepositoryError where error.kind == .wrongPassword {
            return nil
        }
    }

    /// Runs work under a lock of the repository.
    ///
    /// - Parameters:
    ///   - isExclusive: for who removes files.
    ///   - loadsIndex: whether the repository's index is read; maintenance reads it itself.
    ///   - body: gets the repository, its snapshots as of before the index was read, and the lock.
    func locked<Value: Sendable>(
        isExclusive: Bool = false, loadsIndex: Bool = true, in context: OperationContext,
        _ body: @escaping @Sendable (OpenedRepository, ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await locked(
            try await open(in: context), isExclusive: isExclusive, loadsIndex: loadsIndex, in: context, body)
    }

    /// The same with a repository that is open already.
    func locked<Value: Sendable>(
        _ repository: Repository, isExclusive: Bool = false, loadsIndex: Bool = true,
        in context: OperationContext,
        _ body: @escaping @Sendable (OpenedRepository, ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await context.blocking { progress in
            let opened = try lock(
                repository, isExclusive: isExclusive, loadsIndex: loadsIndex, in: context, progress)
            defer { opened.lock.release() }
            return try body(opened, progress)
        }
    }

    /// The same for who asks the user something meanwhile, or reads for as long as it wants: the caller releases the lock.
    /// - Parameter loadsIndex: false for who looks at the records of snapshots alone.
    func opened(loadsIndex: Bool = true, in context: OperationContext) async throws -> OpenedRepository {
        let repository = try await open(in: context)
        return try await context.blocking { progress in
            try lock(repository, loadsIndex: loadsIndex, in: context, progress)
        }
    }

    private func lock(
        _ repository: Repository, isExclusive: Bool = false, loadsIndex: Bool,
        in context: OperationContext, _ progress: ProgressHandler
    ) throws -> OpenedRepository {
        var hasDeadOwner = false
        let lock = try takeLock(of: repository, isExclusive: isExclusive, in: context, progress) {
            // One that removes files stores nothing that is missed.
            if !$0.isExclusive { hasDeadOwner = true }
        }
        do {
            var problems: [any Error] = []
            let snapshots = try repository.snapshots { problems.append($0) }
            if loadsIndex {
                try repository.loadIndex(damaged: { problems.append($0) }) {
                    try progress(
                        OperationProgress("reading the index", completed: Int64($0), total: Int64($1)))
                }
            }
            var opened = OpenedRepository(
                repository: repository, snapshots: snapshots, lock: lock, problems: problems)
            opened.hasDeadOwner = hasDeadOwner
            opened.vanished = try opened.noteVanished(place, in: context)
            return opened
        } catch {
            lock.release()
            throw error
        }
    }

    private func takeLock(
        of repository: Repository, isExclusive: Bool, in context: OperationContext,
        _ progress: ProgressHandler, stale: (LockRecord) -> Void = { _ in }
    ) throws -> RepositoryLock {
        try RepositoryLock.take(
            repository, isExclusive: isExclusive, wait: wait,
            stale: { lock in
                context.note(RepositoryNote.removedStaleLock(lock.hostname, lock.time.text))
                stale(lock)
            },
            checkpoint: { try progress(OperationProgress("waiting for another program")) })
    }

    /// Runs work on the keys of a repository that is open, under a lock. Nothing else of it is read.
    func underLock<Value: Sendable>(
        of opened: Repository, isExclusive: Bool, in context: OperationContext,
        _ body: @escaping @Sendable (ProgressHandler) throws -> Value
    ) async throws -> Value {
        try await context.blocking { progress in
            let lock = try takeLock(of: opened, isExclusive: isExclusive, in: context, progress)
            defer { lock.release() }
            return try body(progress)
        }
    }
}
