package import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Makes snapshots of accounts, in use or not, in one repository. One account that cannot be backed up does not keep the others
/// from it.
package struct BackUpAccounts: Operation {
    /// An account, in a folder or in an archive.
    package struct Account: Sendable {
        package var path: FilePath
        /// Where the folder holds several.
        package var prefix: String?

        package init(_ path: FilePath, prefix: String? = nil) {
            self.path = path
            self.prefix = prefix
        }
    }

    package var accounts: [Account]
    package var repository: RepositoryInput
    /// For all of them; without a given one, each has its own in a key store, or the user is asked.
    package var passphrase: PassphraseSource
    /// Whether databases are kept as they are encrypted, for which no passphrase is needed.
    package var isSealed = false
    package var tags: [String] = []
    /// Of the snapshots; nil for that of the machine.
    package var hostname: String?
    /// Whether a damaged database is kept as it is; otherwise its account is refused.
    package var keepsDamaged = false
    /// Of this program, such as `valise 1.2`.
    package var program = "valise"
    /// Is told how it goes.
    package var monitor: MonitorAddress?

    /// That of the machine.
    package static var usualHostname: String { LockOwner.systemHostname }

    package init(
        _ accounts: [Account], into repository: RepositoryInput,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.accounts = accounts
        self.repository = repository
        self.passphrase = passphrase
    }

    /// What a run would store, by reading everything that it would read.
    package func plan(in context: OperationContext) async throws -> BackupRun {
        let beginning = ContinuousClock.now
        let accounts = try await prepared(context)
        let opened = try await repository.open(in: context)
        return try await context.blocking { progress in
            var report = BackupRun(opened.config.id, repository.place)
            for account in accounts {
                report.add(try snapshot(account, opened, nil, context, progress))
            }
            report.duration = ContinuousClock.now - beginning
            return report
        }
    }

    /// - Throws: the failure of the account where it is the only one; those of the repository.
    package func run(in context: OperationContext) async throws -> BackupRun {
        guard let monitor else { return try await backUp(context) }
        await monitor.tell(.start, in: context)
        do {
            let report = try await backUp(context)
            await monitor.tell(report.hasEntryErrors ? .failure : .success, in: context)
            return report
        } catch {
            await monitor.tell(.failure, in: context)
            throw error
        }
    }

    private func backUp(_ context: OperationContext) async throws -> BackupRun {
        let beginning = ContinuousClock.now
        let accounts = try await prepared(context)
        let opened = try await repository.open(in: context)
        return try await repository.locked(opened, in: context) { look, progress in
            var report = BackupRun(opened.config.id, repository.place)
            report.vanished = look.vanished
            report.repositoryProblems = look.problems.map { "\($0)" }
            let known = KnownRepository(look.lock, look.snapshots)
            for account in accounts {
                let entry: BackupRun.Account
                do {
                    entry = try snapshot(account, opened, known, context, progress)
                } catch  where Self.isOfAccount(error) {
                    remember(failed(account, error), in: opened, context)
                    throw error
                }
                remember(entry, in: opened, context)
                report.add(entry)
            }
            report.duration = ContinuousClock.now - beginning
            context.tell(report.entryFailures)
            return report
        }
    }

    // MARK: Accounts

    /// What is known of an account before the repository is opened.
    private struct Prepared: Sendable {
        /// As the user calls it.
        let name: String
        let source: Result<Source, any Error>
    }

    private struct Source: Sendable {
        let place: AccountPlace
        /// Nil for none.
        let key: SharedSecret?
    }

    /// Whoever is asked for passphrases is asked before anything takes long.
    private func prepared(_ context: OperationContext) async throws -> [Prepared] {
        // A descriptor can be read once.
        var passphrase = passphrase
        if let given = try await passphrase.read() { passphrase.given = .secret(given) }
        var prepared: [Prepared] = []
        for account in accounts {
            let source: Result<Source, any Error>
            do {
                let place = try AccountPlace.backedUp(account.path, prefix: account.prefix)
                let key = try await key(of: place, passphrase, context.asking(to: "back it up"))
                source = .success(Source(place: place, key: key))
            } catch  where accounts.count > 1 && Self.isOfAccount(error) {
                source = .failure(error)
            }
            prepared.append(Prepared(name: account.path.string, source: source))
        }
        return prepared
    }

    private func key(
        of place: AccountPlace, _ source: PassphraseSource, _ context: OperationContext
    ) async throws -> SharedSecret? {
        switch place {
        case .folder(let location):
            isSealed
                ? try await source.known(of: location, in: context)
                : try await source.passphrase(of: location, in: context)
        case .archive(let path):
            isSealed ? try await source.read() : try await source.open(path, prefix: nil, in: context).key
        }
    }

    /// - Parameter known: nil for a plan, which writes nothing.
    /// - Throws: where it is the only account, what went wrong with it.
    private func snapshot(
        _ account: Prepared, _ repository: ValiseRepository.Repository, _ known: KnownRepository?,
        _ context: OperationContext, _ progress: ProgressHandler
    ) throws -> BackupRun.Account {
        do {
            let (place, key) = try (account.source.get().place, account.source.get().key)
            let reader = try AccountReader(place)
            context.note(InUseNote(account.name, reader.holder))
            let writer = SnapshotWriter(
                reader, at: place, in: repository, options(known == nil), known: known)
            let report = try key.lent { key in
                try writer.run(passphrase: key) { event in
                    var event = event
                    if accounts.count > 1 { event.activity = "\(account.name): \(event.activity)" }
                    try progress(event)
                }
            }
            return BackupRun.Account(account.name, place, report)
        } catch  where accounts.count > 1 && Self.isOfAccount(error) {
            return failed(account, error)
        }
    }

    private func failed(_ account: Prepared, _ error: any Error) -> BackupRun.Account {
        BackupRun.Account(account.name, try? account.source.get().place, error)
    }

    private func options(_ isDryRun: Bool) -> SnapshotOptions {
        var options = SnapshotOptions()
        options.mode = isSealed ? .sealed : .open
        if let hostname { options.hostname = hostname }
        options.tags = tags
        options.program = program
        options.keepsDamaged = keepsDamaged
        options.isDryRun = isDryRun
        return options
    }

    /// Rather than of the repository, or of a user who stops.
    private static func isOfAccount(_ error: any Error) -> Bool {
        guard let failure = error as? any Failure else { return false }
        return !(failure is StorageError) && !(failure is RepositoryError) && failure.code != .interrupted
    }
}
