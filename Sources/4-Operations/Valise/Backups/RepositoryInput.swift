import ValiseConcurrency
import ValiseFailures
package import ValiseKeys
import ValiseRepository
package import ValiseSecrets
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

    private static let mostAttempts = 3

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
                return try Repository.open(store, password: password.read().bytes)
            }
        }
        // Whether there is one is known before anybody types anything.
        try await context.blocking { _ in try Repository.require(store) }
        var attempt = 1
        while true {
            let typed = try await context.passphrase(
                PassphraseRequest(of: place.text, attempt: attempt, mostAttempts: Self.mostAttempts))
            do {
                return try await context.blocking { _ in try Repository.open(store, password: typed.bytes) }
            } catch let error as RepositoryError where error.kind == .wrongPassword && attempt < Self.mostAttempts {
                attempt += 1
            }
        }
    }

    /// Runs work under a lock of the repository, whose index is read.
    ///
    /// - Parameters:
    ///   - isExclusive: for who removes files.
    ///   - body: gets the repository, its snapshots as of before the index was read, and the lock.
    func locked<Value: Sendable>(
        isExclusive: Bool = false, in context: OperationContext,
        _ body: @Sendable (OpenedRepository, ProgressHandler) throws -> Value
    ) async throws -> Value {
        let repository = try await open(in: context)
        return try await context.blocking { progress in
            let lock = try RepositoryLock.take(
                repository, isExclusive: isExclusive, wait: wait,
                stale: { context.note(RepositoryNote.removedStaleLock($0.hostname, $0.time.text)) },
                checkpoint: { try progress(OperationProgress("waiting for another program")) })
            defer { lock.release() }
            var problems: [any Failure] = []
            let snapshots = try repository.snapshots { problems.append($0 as? any Failure ?? Unexpected($0)) }
            try repository.loadIndex(damaged: { problems.append($0 as? any Failure ?? Unexpected($0)) }) {
                try progress(OperationProgress("reading the index", completed: Int64($0), total: Int64($1)))
            }
            return try body(
                OpenedRepository(repository: repository, snapshots: snapshots, lock: lock, problems: problems),
                progress)
        }
    }
}

/// A repository under a lock.
struct OpenedRepository: Sendable {
    let repository: Repository
    /// The oldest first.
    let snapshots: [StoredSnapshot]
    let lock: RepositoryLock
    /// Files of it that cannot be read.
    let problems: [any Failure]

    /// The snapshot that a user means: `latest`, or the first digits of its name.
    /// - Throws: `RepositoryError`: `missing`, `invalid` for digits that several have.
    func snapshot(_ name: String) throws -> StoredSnapshot {
        if name == "latest" {
            guard let last = snapshots.last else { throw Self.unknown(name, "the repository has no snapshots") }
            return last
        }
        let found = snapshots.filter { $0.id.text.hasPrefix(name) }
        guard let only = found.first, name.utf8.count >= 4 || found.count == 1 else {
            throw Self.unknown(name, "no snapshot has this ID")
        }
        guard found.count == 1 else {
            throw RepositoryError(
                .invalid, "several snapshots begin with this ID: \(found.map { "\($0.id)" }.joined(separator: ", "))",
                name)
        }
        return only
    }

    private static func unknown(_ name: String, _ message: String) -> RepositoryError {
        RepositoryError(.missing, message, name)
    }
}

/// What is told of a repository.
package enum RepositoryNote: OperationNote {
    /// The owner of a lock is gone.
    case removedStaleLock(String, String)

    package var text: String {
        switch self {
        case .removedStaleLock(let host, let time): "removed the lock of a program on \(host) that ended, of \(time)"
        }
    }
}
