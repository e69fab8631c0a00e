import SystemPackage
package import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseSessionStore
import ValiseStorage

/// Proves that an account comes back: restores the databases of the newest snapshot, or of one that is named, into a private
/// folder, opens both, checks their pages, tables and rows, and reads a sample of the other files. Nothing is left of it but a
/// dated record.
///
/// Databases that are kept open are restored under a random passphrase that nobody learns. Unencrypted ones, and those for which
/// there is no space, are read in the repository: no byte of a database is written unencrypted.
package struct DrillSnapshot: Operation {
    package var repository: RepositoryInput
    /// Only this account; nil for all that the repository has.
    package var account: AccountLocation?
    /// The snapshot to use, as ``OpenedRepository/snapshot(_:)`` takes it; nil for the newest one of each account.
    package var snapshot: String?
    /// Opens databases that are kept sealed.
    package var passphrase: PassphraseSource
    /// How many files are read at most.
    package var sample = 50
    /// Folders for restored databases; nil for the usual ones.
    var places: [FilePath]?
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ repository: RepositoryInput, passphrase: PassphraseSource = PassphraseSource()) {
        self.repository = repository
        self.passphrase = passphrase
    }

    package func run(in context: OperationContext) async throws -> SnapshotDrills {
        let places = places ?? PrivateFolder.places(context.folders)
        PrivateFolder.removeLeftovers(in: places)
        let source = try await passphrase.readOnce()
        return try await repository.locked(in: context) { opened, progress in
            let id = opened.repository.config.id
            var report = SnapshotDrills(place: repository.place.absoluteText, repository: id.text)
            for snapshot in try chosen(opened) {
                var drill = SnapshotDrill(snapshot)
                let beginning = ContinuousClock.now
                do {
                    let run = DrillRun(
                        opened: opened, snapshot: snapshot, places: places, sample: sample, source: source,
                        context: context)
                    try run.perform(&drill, progress) { try Self.key(source, $0, $1, context) }
                } catch let error as BackupError where isWithoutAccount(error) {
                    report.skipped.append(snapshot.id.text)
                    continue
                } catch let error as any Failure where Self.isOfSnapshot(error) {
                    drill.failure = error.description
                }
                drill.seconds = (ContinuousClock.now - beginning) / .seconds(1)
                report.drills.append(drill)
                try remember(drill, snapshot, opened, context)
            }
            return report
        }
    }

    private func chosen(_ opened: OpenedRepository) throws -> [StoredSnapshot] {
        if let snapshot { return [try opened.snapshot(snapshot)] }
        let accounts = try account.map { try opened.accounts(at: $0) } ?? opened.accounts
        let newest = accounts.compactMap(\.snapshots.last)
        guard !newest.isEmpty else {
            throw RepositoryError(.missing, "the repository has no snapshots", repository.place.text)
        }
        return newest
    }

    /// Of snapshots that nobody named.
    private func isWithoutAccount(_ error: BackupError) -> Bool {
        error.code == .notFound && account == nil && snapshot == nil
    }

    /// Whether a failure says something of a snapshot rather than of this machine or the way to the repository.
    private static func isOfSnapshot(_ error: any Failure) -> Bool {
        switch error {
        case is RepositoryError, is BackupError, is AccountError, is AccountMediaError, is SessionStoreError:
            [.damaged, .notFound, .unsupported, .newer].contains(error.code)
        case is StorageError: [.damaged, .notFound].contains(error.code)
        // Of a database, such as one that breaks off.
        default: error.code == .damaged
        }
    }

    /// What is given, else from a key store, or from the user.
    private static func key(
        _ source: PassphraseSource, _ reader: AccountReader, _ location: AccountLocation,
        _ context: OperationContext
    ) throws -> SharedSecret {
        try AwaitedTask {
            if let given = try await source.read() { return given }
            if let stored = try await source.stored(of: location, in: context) { return stored }
            return try await context.asking(to: "open its databases in the snapshot")
                .passphrase(of: location.directory.string, opening: reader)
        }.value()
    }

    private func remember(
        _ drill: SnapshotDrill, _ snapshot: StoredSnapshot, _ opened: OpenedRepository,
        _ context: OperationContext
    ) throws {
        guard let path = snapshot.record.paths.first else { return }
        let own = LockOwner.systemHostname
        let isOfOther =
            snapshot.record.hostname != own
            && opened.snapshots.contains {
                $0.record.hostname == own && $0.record.paths == snapshot.record.paths
            }
        // Of two machines with the same path, the record is about the account of this one.
        guard !isOfOther else { return }
        let location = AccountLocation(snapshotPath: path, prefix: drill.prefix)
        try RepositoryMemories(context.folders).update(opened.repository.config.id, at: repository.place) {
            $0.update(location.directory, prefix: location.prefix) { account in
                account.lastDrill = RepositoryMemory.Event(
                    time: clock(), snapshot: drill.snapshot, hasSucceeded: drill.outcome == .passed)
            }
        }
    }
}
