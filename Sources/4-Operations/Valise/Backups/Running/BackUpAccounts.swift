package import SystemPackage
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Makes snapshots of accounts and of stores of Session, in use or not, in one repository. One account that cannot be backed up does not keep the others
/// from it.
package struct BackUpAccounts: Operation {
    /// An account, in a folder or in an archive, or the folder of a store of Session.
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
        await monitor.report(.start, in: context)
        do {
            let report = try await backUp(context)
            await monitor.report(report.hasEntryErrors ? .failure : .success, in: context)
            return report
        } catch {
            await monitor.report(.failure, in: context)
            throw error
        }
    }

    private func backUp(_ context: OperationContext) async throws -> BackupRun {
        let beginning = ContinuousClock.now
        let accounts = try await prepared(context)
        let keys = Self.deriveKeys(of: accounts)
        let opened = try await repository.open(in: context)
        return try await repository.locked(opened, in: context) { look, progress in
            try keys.value()
            var report = BackupRun(opened.config.id, repository.place)
            report.vanished = look.vanished
            report.repositoryProblems = look.problems.map { "\($0)" }
            let known = KnownRepository(look.lock, look.snapshots)
            let begun = try begin(look, context, progress)
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
            end(begun, opened, context)
            report.duration = ContinuousClock.now - beginning
            context.tell(report.entryFailures)
            return report
        }
    }
}
