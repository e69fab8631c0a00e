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

/// Whether a run came to its end.
extension BackUpAccounts {
    /// Notes that a run begins, and takes up what one stored that did not come to its end.
    /// - Returns: which run it is.
    func begin(
        _ look: OpenedRepository, _ context: OperationContext, _ progress: ProgressHandler
    ) throws -> Int64 {
        let repository = look.repository
        let begun = UTCTime.now.seconds
        var isUnfinished = false
        context.remember(repository, at: self.repository.place) { memory in
            isUnfinished = memory.begunRun != nil
            memory.begunRun = begun
        }
        if isUnfinished || look.hasDeadOwner {
            let adopted = try PackAdoption.run(repository, under: look.lock) {
                try look.tell($0, $1, $2, progress)
            }
            if adopted.packs > 0 { context.note(RepositoryNote.adopted(adopted.size)) }
        }
        return begun
    }

    /// Notes that a run has ended. Where it failed, the next one looks at what it left.
    func end(_ begun: Int64, _ repository: ValiseRepository.Repository, _ context: OperationContext) {
        context.remember(repository, at: self.repository.place) { memory in
            // Another one may have begun meanwhile.
            if memory.begunRun == begun { memory.begunRun = nil }
        }
    }
}

extension SnapshotPlace {
    /// What a ``RepositoryMemory`` calls the account of a folder; empty for what is known by its path alone.
    package var memoryPrefix: String {
        if case .account(.folder(let location)) = self { location.prefix } else { "" }
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
