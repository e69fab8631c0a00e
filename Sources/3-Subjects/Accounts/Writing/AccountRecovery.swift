public import ValiseFailures
public import ValiseFiles

/// What an interrupted run left, and what becomes of it.
public struct AccountRecovery: Sendable, Equatable {
    /// Which of the two states there is.
    public enum State: String, Sendable, Codable {
        /// The act was not decided: the account is as it was before, leftovers are removed.
        case before
        /// The act was decided: it is completed, the account is the new one.
        case after
    }

    public let state: State
    /// The act in a word, such as `import`; nil where only its leftovers are known. In the state ``State/before``
    /// it names an act that was decided and dropped, because the account was used since.
    public let act: String?
    /// Whether the account was used between the decision and the completion. What was written then stays in
    /// ``keptFormer``, else as the ``AccountBackup``.
    public let keepsLaterWork: Bool
    /// The name of the folder inside of the account's in which the replaced account is kept; nil for none.
    public let keptFormer: String?
    private let account: Remedy.Account

    init(
        _ location: AccountLocation, state: State, act: String?, keepsLaterWork: Bool = false,
        keptFormer: String? = nil
    ) {
        account = Remedy.Account(location)
        self.keptFormer = keptFormer
        self.state = state
        self.act = act
        self.keepsLaterWork = keepsLaterWork
    }

    /// What is to come, as a sentence for the user.
    public var pendingSentence: String {
        switch state {
        case .before where act != nil:
            "an interrupted \(act ?? "act") was not begun, and the account was used since; it will be dropped"
        case .before: "an interrupted act left files behind; the account is as it was before it"
        case .after: "an interrupted \(act ?? "act") was decided and waits to be completed"
        }
    }

    /// What was done about it, for the user.
    public var done: Remark {
        let restorable = state == .after && keptFormer == nil && keepsLaterWork
        return Remark(doneSentence, remedy: restorable ? .rollBack(account) : nil)
    }

    private var doneSentence: String {
        switch state {
        case .before where act != nil:
            "an interrupted \(act ?? "act") was dropped, because the account was used since; nothing is lost"
        case .before: "the leftovers of an interrupted act were removed; the account is as it was before it"
        case .after where keptFormer != nil:
            "an interrupted \(act ?? "act") was completed; the account is the new one, and the former one"
                + (keepsLaterWork ? ", with what was written since it was decided," : "")
                + " is kept in its folder \(keptFormer ?? "")"
        case .after where keepsLaterWork:
            "an interrupted \(act ?? "act") was completed; what was written since it was decided is kept with the "
                + "former databases"
        case .after: "an interrupted \(act ?? "act") was completed; the account is the new one"
        }
    }

    /// Looks without changing anything.
    /// - Returns: nil when nothing was left.
    /// - Throws: ``AccountError`` for a journal that cannot be read; ``FileError``.
    public static func pending(
        _ location: AccountLocation, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountRecovery? {
        if let journal = try ChangeJournal.read(in: location.workFolder, fileSystem) {
            let executor = ChangeExecutor(location, fileSystem)
            if try executor.isOutdated(journal) {
                return AccountRecovery(location, state: .before, act: journal.act)
            }
            return AccountRecovery(
                location, state: .after, act: journal.act,
                keepsLaterWork: try executor.keepsLaterWork(journal),
                keptFormer: journal.keepsFormerIn)
        }
        let leftovers = try WorkFolder(location, fileSystem).leftovers()
        return leftovers.isEmpty ? nil : AccountRecovery(location, state: .before, act: nil)
    }

    /// Completes or cleans up. The caller holds the exclusive lock.
    /// - Returns: what was done; nil when nothing was left.
    /// - Throws: ``AccountError``; ``FileError``.
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
                    location, state: .after, act: journal.act,
                    keepsLaterWork: pending.keepsLaterWork
                        || (journal.keepsFormerIn != nil && outcome.keptFormer == nil),
                    keptFormer: outcome.keptFormer)
            }
        } else {
            try WorkFolder(location, fileSystem).discardPreparations()
        }
        return pending
    }
}
