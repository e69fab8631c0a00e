import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

extension BackUpAccounts {
    /// Writes down how it went with an account, for its status. A machine that cannot has its snapshot all the same.
    func remember(
        _ entry: BackupRun.Account, in repository: ValiseRepository.Repository, _ context: OperationContext
    ) {
        guard let place = entry.place else { return }
        context.remember(repository, at: self.repository.place) { memory in
            if let id = entry.snapshot?.snapshot { memory.snapshots.insert(id.text) }
            memory.update(place.path, prefix: place.memoryPrefix) { $0.note(entry) }
        }
    }
}

extension AccountPlace {
    /// What a ``RepositoryMemory`` calls the account of a folder; empty for an archive.
    package var memoryPrefix: String {
        if case .folder(let location) = self { location.prefix } else { "" }
    }
}

extension RepositoryMemory.Account {
    fileprivate mutating func note(_ entry: BackupRun.Account) {
        if let report = entry.snapshot, let id = report.snapshot {
            lastRun = RepositoryMemory.Event(
                time: report.time.seconds, snapshot: id.text, hasSucceeded: !report.isPartial)
            lastFailure = nil
        } else if let failure = entry.failure {
            lastFailure = RepositoryMemory.Failure(time: UTCTime.now.seconds, message: failure.message)
        }
    }
}
