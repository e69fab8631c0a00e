import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

extension BackUpAccounts {
    /// What is known of an account before the repository is opened.
    struct Prepared: Sendable {
        /// As the user calls it.
        let name: String
        let source: Result<Source, any Error>
    }

    struct Source: Sendable {
        let place: AccountPlace
        /// Nil for none.
        let key: SharedSecret?
    }

    /// Whoever is asked for passphrases is asked before anything takes long.
    func prepared(_ context: OperationContext) async throws -> [Prepared] {
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

    /// Derives the keys of databases: one core does that while another one derives that of the repository.
    static func deriveKeys(of accounts: [Prepared]) -> BackgroundTask<Void> {
        BackgroundTask { cancellation in
            for account in accounts where !cancellation.isCancelled {
                // Some archives are unpacked when they are opened.
                guard let source = try? account.source.get(), case .folder = source.place,
                    let key = source.key
                else { continue }
                // What is wrong with an account is told when it is backed up.
                try? AccountReader(source.place).deriveKeys(key.bytes.duplicate())
            }
        }
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
    func snapshot(
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

    func failed(_ account: Prepared, _ error: any Error) -> BackupRun.Account {
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
    static func isOfAccount(_ error: any Error) -> Bool {
        guard let failure = error as? any Failure else { return false }
        return !(failure is StorageError) && !(failure is RepositoryError) && failure.code != .interrupted
    }
}
