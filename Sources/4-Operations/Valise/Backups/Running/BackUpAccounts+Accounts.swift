import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseSessionStore
import ValiseStorage

extension BackUpAccounts {
    /// What is known of an account before the repository is opened.
    struct Prepared: Sendable {
        /// As the user calls it.
        let name: String
        let source: Result<Source, any Error>
    }

    enum Source: Sendable {
        /// With its passphrase; nil for none.
        case account(AccountPlace, SharedSecret?)
        case session(SessionSource)

        var place: SnapshotPlace {
            switch self {
            case .account(let place, _): .account(place)
            case .session(let session): .session(session.folder)
            }
        }
    }

    /// Whoever is asked for passphrases is asked before anything takes long.
    func prepared(_ context: OperationContext) async throws -> [Prepared] {
        let passphrase = try await passphrase.readOnce()
        var prepared: [Prepared] = []
        for account in accounts {
            let source: Result<Source, any Error>
            do {
                source = .success(
                    try await self.source(of: account, passphrase, context.asking(to: "back it up")))
            } catch  where accounts.count > 1 && Self.isOfAccount(error) {
                source = .failure(error)
            }
            prepared.append(Prepared(name: account.path.string, source: source))
        }
        return prepared
    }

    private func source(
        of account: Account, _ passphrase: PassphraseSource, _ context: OperationContext
    ) async throws -> Source {
        if account.prefix == nil, let place = try SessionSource.find(account.path) {
            return .session(try await SessionSource(place, passphrase, in: context))
        }
        let place = try AccountPlace.backedUp(account.path, prefix: account.prefix)
        return .account(place, try await key(of: place, passphrase, context))
    }

    /// Derives the keys of databases: one core does that while another one derives that of the repository.
    static func deriveKeys(of accounts: [Prepared]) -> BackgroundTask<Void> {
        BackgroundTask { cancellation in
            for account in accounts where !cancellation.isCancelled {
                // Some archives are unpacked when they are opened.
                guard case .success(.account(let place, let key?)) = account.source, case .folder = place
                else { continue }
                // What is wrong with an account is told when it is backed up.
                try? AccountReader(place).deriveKeys(key.bytes.duplicate())
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
            let source = try account.source.get()
            let report = try store(source, account.name, repository, known, context) { event in
                var event = event
                if accounts.count > 1 { event.activity = "\(account.name): \(event.activity)" }
                try progress(event)
            }
            return BackupRun.Account(account.name, source.place, report)
        } catch  where accounts.count > 1 && Self.isOfAccount(error) {
            return failed(account, error)
        }
    }

    private func store(
        _ source: Source, _ name: String, _ repository: ValiseRepository.Repository,
        _ known: KnownRepository?, _ context: OperationContext, _ progress: ProgressHandler
    ) throws -> SnapshotReport {
        switch source {
        case .account(let place, let key):
            let reader = try AccountReader(place)
            context.note(InUseNote(name, reader.holder))
            let writer = SnapshotWriter(
                .account(reader, place), in: repository, options(known == nil), known: known)
            return try key.lent { try writer.run(passphrase: $0, progress: progress) }
        case .session(let session):
            let kept = try session.files(in: PrivateFolder.places(context.folders), progress)
            defer { extendLifetime(kept) }
            context.note(SessionCopyNote(name, kept.files.facts, damage: kept.files.damage))
            let writer = SnapshotWriter(
                .session(kept.files), in: repository, options(known == nil), known: known)
            let report = try writer.run(passphrase: nil, progress: progress)
            context.note(InUseNote(name, report.holder))
            return report
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
