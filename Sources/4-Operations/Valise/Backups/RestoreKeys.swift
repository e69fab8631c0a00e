import ValiseAccounts
import ValiseBackups
import ValiseFiles
import ValiseSecrets

/// The passphrases of a restore.
struct RestoreKeys: Sendable {
    /// Of the restored databases; nil where none is needed, and of sealed ones where it is not known.
    private(set) var restored: SharedSecret?
    /// Of the account in place; nil where it is not known, or not encrypted.
    private(set) var previous: SharedSecret?
    /// What opens the restored database of Session; nil for what is in its configuration, or nothing.
    private(set) var session: PassphraseSource?

    /// Gets what is given or stored, and asks for the rest.
    /// - Parameter asksForNew: false for a plan, which encrypts nothing.
    init(
        _ operation: RestoreSnapshot, _ job: RestoreJob, asksForNew: Bool, _ context: OperationContext
    ) async throws {
        if job.contents.metadata?.session != nil { session = operation.passphrase }
        guard job.contents.hasDatabase else { return }
        let source = operation.passphrase
        let given = try await source.read()
        let isReplacing = try await context.blocking { _ in try job.replacesEncryptedAccount() }
        let known = try await given == nil ? source.stored(of: job.location, in: context) : given
        if isReplacing { previous = known }
        if job.contents.needsPassphrase, !operation.options.isUnencrypted {
            if asksForNew { try await choose(operation, job, known, isReplacing, context) }
        } else {
            restored = given
        }
        guard isReplacing, previous == nil, !operation.options.acceptsOlder else { return }
        let asking = context.asking(
            to: "check whether it is newer than the snapshot", orElse: "go by file times")
        previous = try await asking.askedPassphrase(
            of: job.location.directory.string, opening: AccountReader(asItIs: job.location), isOptional: true)
    }

    /// What encrypts the restored databases: the new one that is given, else the one that is known, else that of the account in
    /// place, which is tried on it, else one that is typed twice.
    private mutating func choose(
        _ operation: RestoreSnapshot, _ job: RestoreJob, _ known: SharedSecret?, _ isReplacing: Bool,
        _ context: OperationContext
    ) async throws {
        if let newSource = operation.newPassphrase {
            let new = try await PassphraseSource(newSource).read()
            try accept(new, operation, context)
        } else if let known {
            restored = known
        } else if isReplacing {
            let asking = context.asking(to: "encrypt the restored databases with it")
            restored = try await asking.passphrase(
                of: job.location.directory.string, opening: AccountReader(asItIs: job.location))
            previous = restored
        } else {
            try accept(try await operation.new().rememberingKeys(), operation, context)
        }
    }

    private mutating func accept(
        _ new: SharedSecret?, _ operation: RestoreSnapshot, _ context: OperationContext
    ) throws {
        guard let new, !new.bytes.isEmpty else {
            throw OperationError(.invalid, "the new passphrase is empty. Nothing was changed.")
        }
        try context.accept(new: new, evenIfWeak: operation.options.allowsWeak)
        restored = new
    }
}
