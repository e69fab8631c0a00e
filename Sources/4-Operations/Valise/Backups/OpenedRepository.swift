import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// A repository under a lock.
struct OpenedRepository: Sendable {
    let repository: Repository
    /// The oldest first.
    let snapshots: [StoredSnapshot]
    let lock: RepositoryLock
    /// Files of it that cannot be read.
    let problems: [any Error]
    /// Whether somebody who stored something did not come to the end.
    var hasDeadOwner = false
    /// Snapshots that this user has seen, did not forget, and that are gone. In hexadecimal digits.
    var vanished: [String] = []

    /// The snapshot that a user means: `latest`, or the first digits of its name.
    /// - Parameter account: whose latest one is meant, where it has any; nil for that of the repository.
    /// - Throws: `RepositoryError`: `missing`, `invalid` for digits that several have.
    func snapshot(_ name: String, of account: AccountLocation? = nil) throws -> StoredSnapshot {
        if name == "latest" {
            guard let last = account.flatMap({ snapshots(of: $0).last }) ?? snapshots.last else {
                throw Self.unknown(name, "the repository has no snapshots")
            }
            return last
        }
        let found = snapshots.filter { $0.id.text.hasPrefix(name) }
        guard let only = found.first, name.utf8.count >= 4 || found.count == 1 else {
            throw Self.unknown(name, "no snapshot has this ID")
        }
        guard found.count == 1 else {
            throw RepositoryError(
                .invalid,
                "several snapshots begin with this ID: \(found.map { "\($0.id)" }.joined(separator: ", "))",
                name)
        }
        return only
    }

    /// Those of an account, the oldest first: of this machine, or of any where this one made none.
    func snapshots(of account: AccountLocation, onAnyMachine: Bool = false) -> [StoredSnapshot] {
        guard let path = try? account.resolved().snapshotPath else { return [] }
        let found = snapshots.filter { $0.record.paths.contains(path) }
        let own = found.filter { $0.record.hostname == LockOwner.systemHostname }
        return own.isEmpty || onAnyMachine ? found : own
    }

    private static func unknown(_ name: String, _ message: String) -> RepositoryError {
        RepositoryError(.missing, message, name)
    }
}
