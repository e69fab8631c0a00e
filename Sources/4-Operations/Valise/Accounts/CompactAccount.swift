public import ValiseAccounts
public import ValiseConcurrency
public import ValiseMaintenance

/// Compacts the databases of an account, atomically.
public struct CompactAccount: Operation {
    public var account: AccountLocation
    public var passphrase: PassphraseSource

    public init(_ account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> CompactionPlan {
        let key = try await passphrase.passphrase(of: account, in: context)
        return try await context.blocking { progress in
            try AccountCompaction().plan(account, passphrase: key.bytes, progress: progress)
        }
    }

    public func run(in context: OperationContext) async throws -> CompactionReport {
        let key = try await passphrase.passphrase(of: account, in: context)
        let report = try await context.recoverably("compaction", of: account) { progress in
            try AccountCompaction().run(
                account, passphrase: key.bytes, announce: { context.note(CompactionNote(plan: $0)) },
                progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return report
    }
}

/// What a compaction will need and give, told before it begins.
public struct CompactionNote: OperationNote {
    public let plan: CompactionPlan

    package init(plan: CompactionPlan) { self.plan = plan }

    public var text: String {
        "needs \(ByteCount.text(plan.spaceNeeded)) while it runs, \(ByteCount.text(plan.freeSpace)) are free; "
            + "frees at least \(ByteCount.text(max(0, plan.smallestGain))), and what is empty inside of pages"
    }
}
