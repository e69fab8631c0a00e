import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Shows how old the newest snapshot of each account is, and when they were proved last. Changes nothing, and takes no lock: a
/// program that prunes is no reason for an alarm.
package struct ShowBackupStatus: Operation {
    package var repository: RepositoryInput
    /// Those that are shown; none for all of this machine.
    package var accounts: [BackUpAccounts.Account]
    /// Whose snapshots; nil for those of this machine.
    package var hostname: String?
    /// Whether only what is remembered here is shown, for which neither the repository nor its password is needed.
    package var isOffline = false
    /// How old a snapshot may be, in seconds.
    package var maxAge: Int64 = usualMaxAge

    /// A day, and an hour for a timer that is not exact.
    package static let usualMaxAge: Int64 = 25 * 3600

    package init(_ repository: RepositoryInput, accounts: [BackUpAccounts.Account] = []) {
        self.repository = repository
        self.accounts = accounts
    }

    /// - Throws: ``OperationError``: `notFound` where nothing is remembered; those of the repository.
    package func run(in context: OperationContext) async throws -> BackupStatus {
        let memories = RepositoryMemories(context.folders)
        let names = try await context.blocking { _ in try accounts.map(Self.name) }
        guard !isOffline else {
            let memory = try await context.blocking { _ in
                try memories.all().first { $0.place == repository.place.absoluteText }
            }
            guard let memory else {
                throw OperationError(
                    .notFound, "nothing is remembered of this repository", subject: repository.place.text)
            }
            return status(BackupStatus(memory.repository, memory.place), memory, nil, names)
        }
        let opened = try await repository.open(in: context)
        return try await context.blocking { progress in
            try progress(OperationProgress("reading the list of snapshots"))
            var status = BackupStatus(opened.config.id.text, repository.place.text)
            let snapshots = try opened.snapshots { status.problems.append("\($0)") }
            let memory = try memories.memory(of: opened.config.id)
            let vanished = try VanishedSnapshots(opened, snapshots, comparedWith: memory)
            for name in vanished.names { status.vanished[name] = UTCTime.now.seconds }
            status.snapshotCount = snapshots.count
            return self.status(status, memory, snapshots, names)
        }
    }

    /// By which the snapshots of an account are known, also of one that is gone.
    private static func name(_ account: BackUpAccounts.Account) throws -> String {
        do {
            return try SnapshotPlace.backedUp(account.path, prefix: account.prefix).snapshotPath.string
        } catch let error as AccountError where error.code == .notFound {
            return account.path.string
        }
    }

    private func status(
        _ base: BackupStatus, _ memory: RepositoryMemory?, _ snapshots: [StoredSnapshot]?, _ names: [String]
    ) -> BackupStatus {
        var status = base
        let now = UTCTime.now.seconds
        status.time = now
        status.note(memory)
        let host = hostname ?? LockOwner.systemHostname
        let isOwn = host == LockOwner.systemHostname
        let own = snapshots?.filter { $0.record.hostname == host }
        let remembered = isOwn ? memory?.accounts ?? [] : []
        var shown = names
        if shown.isEmpty {
            shown = Set(remembered.map(\.snapshotPath) + (own ?? []).flatMap(\.record.paths)).sorted()
        }
        status.accounts = shown.map { name in
            let before = remembered.first { $0.snapshotPath == name }
            // Who names the machine otherwise in each run has no snapshots under its own name.
            let run = snapshots?.first { $0.id.text == before?.lastRun?.snapshot }
            let hosts = [host, run?.record.hostname ?? host]
            let ofAccount = snapshots?
                .filter { hosts.contains($0.record.hostname) && $0.record.paths == [name] }
            var account = BackupStatus.Account(
                name: name, hostname: ofAccount?.last?.record.hostname ?? host)
            account.note(before, isOnline: ofAccount != nil)
            if let ofAccount { account.note(ofAccount) }
            account.judge(now: now, maxAge: maxAge)
            return account
        }
        return status
    }
}

extension RepositoryMemory.Account {
    /// As its snapshots have it.
    fileprivate var snapshotPath: String {
        prefix.isEmpty
            ? directory
            : AccountLocation(directory: FilePath(directory), prefix: prefix).snapshotPath
    }
}
