public import ValiseAccounts
public import ValiseConcurrency
public import ValiseMedia

/// Quarantines or deletes unreferenced media, temporary files and stale work files.
public struct PurgeMedia: Operation {
    package var account: AccountLocation
    /// Whether files are deleted, after confirmation, instead of moved to a folder beside the databases.
    package var deletes: Bool
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account to purge.
    ///   - deletes: whether files are deleted, after confirmation, instead of moved to a folder beside the databases.
    ///   - passphrase: opens the databases.
    public init(
        of account: AccountLocation, deletes: Bool = false,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.deletes = deletes
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> MediaPurgePlan {
        let key = try await passphrase.passphrase(
            of: account, for: .changing, in: context.asking(to: "find unreferenced media"))
        return try await context.blocking { progress in
            try MediaPurge().plan(account, passphrase: key.bytes, progress: progress)
        }
    }

    public func run(in context: OperationContext) async throws -> MediaPurgeReport {
        let key = try await passphrase.passphrase(
            of: account, for: .changing, in: context.asking(to: "find unreferenced media"))
        let report = try await context.blocking { progress in
            try MediaPurge().run(
                account, passphrase: key.bytes, deletes: deletes, confirm: { try confirm($0, context) },
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        context.tell(report.entryFailures)
        return report
    }

    private func confirm(_ plan: MediaPurgePlan, _ context: OperationContext) throws -> Bool {
        // To move them away can be undone: nobody has to agree.
        try context.answer(whileBlocking: .purgeMedia(plan, deletes: deletes)) ?? !deletes
    }
}

extension MediaPurgeReport: OperationReport {
    public var entryFailures: [EntryFailure] { problems.map { EntryFailure($0.path, "\($0.message)") } }
}
