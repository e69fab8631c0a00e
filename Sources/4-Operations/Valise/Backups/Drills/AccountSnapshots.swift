import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseRepository

/// The snapshots of one account of one machine.
struct AccountSnapshots: Sendable {
    let hostname: String
    let paths: [String]
    /// The oldest first; at least one.
    let snapshots: [StoredSnapshot]

    /// The path of the account; empty for a snapshot of several folders.
    var path: String { paths.count == 1 ? paths[0] : "" }
}

extension OpenedRepository {
    /// All snapshots by machines and accounts.
    var accounts: [AccountSnapshots] {
        var groups: [[String]: [StoredSnapshot]] = [:]
        for snapshot in snapshots {
            groups[[snapshot.record.hostname] + snapshot.record.paths, default: []].append(snapshot)
        }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, members in
            AccountSnapshots(hostname: key[0], paths: Array(key.dropFirst()), snapshots: members)
        }
    }

    /// The snapshots of an account, of this machine where it has any.
    /// - Throws: `RepositoryError`: `missing`.
    func accounts(at location: AccountLocation) throws -> [AccountSnapshots] {
        // One that is gone may have been given as its snapshots have it.
        let path = ((try? location.resolved()) ?? location).snapshotPath
        let found = accounts.filter { $0.path == path }
        guard !found.isEmpty else {
            throw RepositoryError(.missing, "the repository has no snapshot of this account", path)
        }
        let own = found.filter { $0.hostname == LockOwner.systemHostname }
        return own.isEmpty ? found : own
    }
}

extension AccountLocation {
    /// The account that a snapshot is of, by the path that the snapshot has of it.
    init(snapshotPath: String, prefix: String) {
        let path = FilePath(snapshotPath)
        let isInPath = prefix != Self.usualPrefix && path.lastComponent?.string == prefix
        self.init(directory: isInPath ? path.removingLastComponent() : path, prefix: prefix)
    }
}
