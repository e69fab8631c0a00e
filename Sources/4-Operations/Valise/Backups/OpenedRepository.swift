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
    /// Snapshots that this user has seen, did not forget, and that are gone. In hexadecimal digits.
    var vanished: [String] = []

    /// The snapshot that a user means: `latest`, or the first digits of its name.
    /// - Throws: `RepositoryError`: `missing`, `invalid` for digits that several have.
    func snapshot(_ name: String) throws -> StoredSnapshot {
        if name == "latest" {
            guard let last = snapshots.last else {
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

    private static func unknown(_ name: String, _ message: String) -> RepositoryError {
        RepositoryError(.missing, message, name)
    }
}
