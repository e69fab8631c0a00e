package import ValiseFailures
package import ValiseFiles

/// An interrupted operation, and what happens to it.
public struct AccountRecovery: Sendable, Equatable {
    /// Which of the two states there is.
    package enum State: String, Sendable, Codable {
        /// The operation was not decided: the account is as it was before, leftovers are removed.
        case before
        /// The operation was decided: it is completed, the account is the new one.
        case after
    }

    package let state: State
    /// The operation in a word, such as `import`; nil where only its leftovers are known. In the state ``State/before``
    /// it names an operation that was decided and dropped, because the account was used since.
    package let operation: String?
    /// Whether the account was used between the decision and the completion. What was written then stays in
    /// ``keptPrevious``, else as the ``AccountBackup``.
    package let keepsLaterWork: Bool
    /// The name of the folder inside the account's in which the replaced account is kept; nil for none.
    package let keptPrevious: String?
    /// The databases that are replaced, as they were when the operation was decided; none where its journal does not have them.
    package let replaced: [AccountDatabase: FileStamp]
    private let account: Remedy.Account

    init(
        _ location: AccountLocation, state: State, operation: String?, keepsLaterWork: Bool = false,
        keptPrevious: String? = nil, replaced: [AccountDatabase: FileStamp] = [:]
    ) {
        account = Remedy.Account(location)
        self.replaced = replaced
        self.keptPrevious = keptPrevious
        self.state = state
        self.operation = operation
        self.keepsLaterWork = keepsLaterWork
    }

    /// What is to come, as a sentence for the user.
    package var pendingSentence: String {
        switch state {
        case .before where operation != nil:
            "an interrupted \(operation ?? "operation") had not started, and the account was used since. "
                + "It will be dropped."
        case .before: "an interrupted operation left files behind. The account is unchanged."
        case .after: "an interrupted \(operation ?? "operation") is committed and must be completed"
        }
    }

    /// What was done about it, for the user.
    package var done: Remark {
        let restorable = state == .after && keptPrevious == nil && keepsLaterWork
        return Remark(doneSentence, remedy: restorable ? .rollBack(account) : nil)
    }

    private var doneSentence: String {
        switch state {
        case .before where operation != nil:
            "an interrupted \(operation ?? "operation") was dropped, as the account was used since. Nothing is lost."
        case .before:
            "the leftover files of an interrupted operation were removed. The account is unchanged."
        case .after where keptPrevious != nil:
            "an interrupted \(operation ?? "operation") was completed. The new account is in place. The previous one"
                + (keepsLaterWork ? ", with later changes," : "")
                + " is kept in its folder \(keptPrevious ?? "")."
        case .after where keepsLaterWork:
            "an interrupted \(operation ?? "operation") was completed. Later changes are kept with the previous "
                + "databases."
        case .after: "an interrupted \(operation ?? "operation") was completed. The new account is in place."
        }
    }

    /// Looks without changing anything.
    /// - Returns: nil when nothing was left.
    /// - Throws: ``AccountError`` for a journal that cannot be read; `FileError`.
    package static func pending(
        _ location: AccountLocation, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountRecovery? {
        if let journal = try ChangeJournal.read(in: location.workFolder, fileSystem) {
            let executor = ChangeExecutor(location, fileSystem)
            let replaced = journal.replacedDatabases(of: location)
            if try executor.isOutdated(journal) {
                return AccountRecovery(
                    location, state: .before, operation: journal.operation, replaced: replaced)
            }
            return AccountRecovery(
                location, state: .after, operation: journal.operation,
                keepsLaterWork: try executor.keepsLaterWork(journal),
                keptPrevious: journal.keepsPreviousIn, replaced: replaced)
        }
        let leftovers = try WorkFolder(location, fileSystem).leftovers()
        return leftovers.isEmpty ? nil : AccountRecovery(location, state: .before, operation: nil)
    }

    /// Completes or cleans up. The caller holds the exclusive lock.
    /// - Returns: what was done; nil when nothing was left.
    /// - Throws: `AccountError`; `FileError`.
    static func run(
        _ location: AccountLocation, lock: AccountLock, fileSystem: FileSystem
    ) throws -> AccountRecovery? {
        guard let pending = try pending(location, fileSystem: fileSystem) else {
            try WorkFolder(location, fileSystem).removeIfEmpty()
            return nil
        }
        if let journal = try ChangeJournal.read(in: location.workFolder, fileSystem) {
            let executor = ChangeExecutor(location, fileSystem)
            if pending.state == .before {
                try executor.drop()
            } else {
                let outcome = try executor.complete(journal)
                return AccountRecovery(
                    location, state: .after, operation: journal.operation,
                    keepsLaterWork: pending.keepsLaterWork
                        || (journal.keepsPreviousIn != nil && outcome.keptPrevious == nil),
                    keptPrevious: outcome.keptPrevious, replaced: pending.replaced)
            }
        } else {
            try WorkFolder(location, fileSystem).discardPreparations()
        }
        return pending
    }
}
