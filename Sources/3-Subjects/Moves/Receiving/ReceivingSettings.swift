import SystemPackage
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia
import ValiseSecrets

/// What is decided about an account that is in place: its schema, and how it reaches the network.
struct ReceivingSettings: Sendable {
    let run: ReceivingRun
    /// Nil where this run did not need it yet.
    let passphrase: SharedSecret?

    private var file: MoveFile<ReceivingMove> { run.file }

    func run() async throws {
        var known = passphrase
        if [.migrationConfirmation, .migration].contains(file.state.name) {
            let given = try await given(known)
            known = given
            try await migrate(given)
        }
        guard file.state == .networkSettings else { return }
        if file.move.network == nil { try await setNetwork(known) }
        try file.enter(.verified)
    }

    /// Asks for what an earlier run knew.
    private func given(_ known: SharedSecret?) async throws -> SharedSecret {
        if let known { return known }
        // An operation that was killed may have left a place without its database.
        try await run.work { _ in try run.recover() }
        let (location, fileSystem) = (run.location, run.fileSystem)
        return try await run.askPassphrase { passphrase in
            do {
                try PassphraseVerification.run(passphrase, location, fileSystem)
                return true
            } catch let error as any Failure where error.code == .wrongPassphrase {
                return false
            }
        }
    }

    // MARK: Schema

    private func migrate(_ passphrase: SharedSecret) async throws {
        if file.state == .migrationConfirmation {
            let (outcome, plan) = try await run.work { _ in try assess(passphrase.bytes) }
            guard let plan, try await run.questions.upgradesSchema(plan) else {
                try file.enter(.networkSettings) {
                    $0.schema = ReceivedSchema(outcome: plan == nil ? outcome : .declined, plan)
                }
                return
            }
            try file.enter(.migration) { $0.schema = ReceivedSchema(outcome: .upgraded, plan) }
        }
        let result: MigrationResult
        do {
            result = try await run.work { progress in
                try AccountMigration(fileSystem: run.fileSystem).run(
                    run.location, passphrase: passphrase.bytes, confirmation: .yesUp, progress: progress
                ).result
            }
        } catch {
            let isDecided =
                (try? AccountRecovery.pending(run.location, fileSystem: run.fileSystem)?.state == .after)
            // The account is in place as it was sent: whoever cannot migrate it may leave it so.
            if !AccountMove.isStop(error), isDecided == false {
                try? file.enter(.migrationConfirmation) { $0.schema = nil }
            }
            throw error
        }
        guard result == .ok else {
            try file.enter(.migrationConfirmation) { $0.schema = nil }
            throw DeviceMigrationError(
                .failed, "the schema migration failed. The account is in place, as it was sent.",
                subject: run.location.directory.string)
        }
        try file.enter(.networkSettings)
    }

    /// - Returns: what is to be said of the schema, and a plan where there is a choice.
    private func assess(
        _ passphrase: borrowing SecretBytes
    ) throws -> (ReceivedSchema.Outcome, AccountMigrationPlan?) {
        try run.recover()
        let schema = try ArchivedSchema(
            AccountReader(run.location, fileSystem: run.fileSystem), passphrase: passphrase)
        let isOfficial = schema.databases.contains { $0.schema.origin == .official }
        switch schema.state {
        case .current: return (.current, nil)
        case .newerThanKnown: return (.newerThanKnown, nil)
        case .unknown: return (.unknown, nil)
        case .upgradeNeeded where isOfficial: return (.official, nil)
        case .upgradeNeeded:
            let migration = try AccountMigration(fileSystem: run.fileSystem)
            return (.upgraded, try migration.plan(run.location, passphrase: passphrase))
        }
    }

    // MARK: Network

    private func setNetwork(_ known: SharedSecret?) async throws {
        let links = file.move.links
        guard !links.isEmpty, let config = try LinkSet(links).info.networkConfig else {
            return try file.update { $0.network = ReceivedAccount.NetworkSettings.none }
        }
        guard try await run.questions.takesNetworkConfig(config) else {
            return try file.update { $0.network = .declined }
        }
        let passphrase = try await given(known)
        let outcome: ReceivedAccount.NetworkSettings = try await run.work { _ in
            do {
                let isTaken = try AppSettings.write(
                    config, into: run.location, passphrase: passphrase.bytes, fileSystem: run.fileSystem)
                return isTaken ? .taken : .noTable
            } catch let error as DeviceMigrationError
                where [.invalidSettings, .unsupported].contains(error.kind)
            {
                return .unreadable
            }
        }
        try file.update { $0.network = outcome }
    }
}

extension ReceivedSchema {
    fileprivate init(outcome: Outcome, _ plan: AccountMigrationPlan?) {
        var migrations: [String: [String]] = [:]
        for step in plan?.steps ?? [] where !step.migrations.isEmpty {
            migrations[step.database.rawValue] = step.migrations
        }
        self.init(outcome: outcome, migrations: migrations)
    }
}
