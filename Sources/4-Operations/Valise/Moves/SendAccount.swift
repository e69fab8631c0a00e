public import SystemPackage
public import ValiseAccounts
public import ValiseConcurrency
import ValiseFailures
import ValiseFiles
public import ValiseMoves
import ValiseSecrets
import ValiseXFTPWire

/// Sends an account to another machine, over relays or as a file. Nothing of the account is changed until ``FinishMove``.
public struct SendAccount: Operation {
    /// How the account travels.
    public enum Way: Sendable {
        case relays(RelayChoice)
        /// A relay of this process: nil for the address that an earlier run had.
        case served(ServeAddress?)
        /// An archive instead, such as on a stick.
        case archive(FilePath, packs: Bool)
    }

    package var account: AccountLocation
    package var way: Way
    /// Which network settings go along.
    public var networkConfig = SentNetworkConfig.app
    /// Whether the account is sent as it is now under a new link, and what was sent before deleted.
    public var isRenewal = false
    /// Whether a passphrase that looks like one which an app made by chance is known to the user.
    public var acceptsRandomPassphrase = false
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?
    package var passphrase: PassphraseSource
    /// Whether the user has agreed already, so that no later run asks.
    public var isConfirmed = false
    /// Gets the account as soon as it is sent, before it is served.
    public var sent: @Sendable (SentAccountReport) async throws -> Void = { _ in }

    /// - Parameters:
    ///   - account: which is sent.
    ///   - way: over relays, or served by this process.
    ///   - passphrase: opens the databases.
    public init(
        _ account: AccountLocation, by way: Way = .relays(RelayChoice()),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.way = way
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> SendPlan {
        let key = try await key(context)
        // The address of a relay that is not started yet is not known.
        let relays =
            if case .relays(let choice) = way { try choice.relays(context.folders) } else { [RelayAccess]() }
        let options = job.options(relays)
        return try await context.blocking { _ in
            try MoveStates(context.folders).engine().sendPlan(account, passphrase: key.bytes, options)
        }
    }

    public func run(in context: OperationContext) async throws -> SentAccountReport {
        let key = try await key(context)
        let before = try await context.blocking { _ in
            try MoveStates(context.folders).engine().summary(of: account, side: .sending)
        }
        let isShown = before?.sendingState == .linkShown
        let relay = try await relay(before, isShown: isShown, context)
        do {
            let report = try await send(key, relay, isShown: isShown, context)
            context.tell(report.entryFailures)
            try await sent(report)
            if let relay { try await MoveServing(account, context).serve(relay, report.sent) }
            await relay?.stop()
            return report
        } catch {
            await relay?.stop()
            throw error
        }
    }

    // MARK: Parts

    private func key(_ context: OperationContext) async throws -> SharedSecret {
        try RetiredMark.refuse(account, fileSystem: FileSystem())
        return try await passphrase.passphrase(of: account, in: context)
    }

    /// The relay of this process, where one is asked for, or was before.
    private func relay(
        _ before: MoveSummary?, isShown: Bool, _ context: OperationContext
    ) async throws -> MoveRelay? {
        let address: ServeAddress?
        switch way {
        case .served(let asked): address = asked
        case .relays(let choice):
            guard try !choice.isGiven && before != nil && MoveRelay.isThere(account, context.folders) else {
                return nil
            }
            address = nil
        case .archive: return nil
        }
        return try await .start(account, address, mayChange: !isShown || isRenewal, context)
    }

    private func send(
        _ key: SharedSecret, _ relay: MoveRelay?, isShown: Bool, _ context: OperationContext
    ) async throws -> SentAccountReport {
        // Links that are there are shown again without any relay.
        let relays = isShown && !isRenewal ? [] : try relays(relay, context)
        let job = job
        let sent = try await OperationJobs(context).run(job, isJob: relay == nil) { context, _ in
            try await job.perform(key, relays, isRenewal: isRenewal, context) { plan in
                if relay != nil { try checkSpace(plan, context) }
                guard let answer = try await context.questions.answer(.sendAccount(account, plan)) else {
                    throw OperationError(
                        .invalid, "sending asks first and nobody can be asked; nothing was sent",
                        need: .agreement)
                }
                return answer
            }
        }
        return SentAccountReport(sent: sent, isFirst: !isShown || isRenewal, isServed: relay != nil)
    }

    private func relays(_ served: MoveRelay?, _ context: OperationContext) throws -> [RelayAccess] {
        if let served { return [served.access] }
        return if case .relays(let choice) = way { try choice.relays(context.folders) } else { [] }
    }

    private var job: MoveSendJob {
        let choice = if case .relays(let choice) = way { choice } else { RelayChoice() }
        let archive: (path: FilePath, packs: Bool)? =
            if case .archive(let path, let packs) = way { (path, packs) } else { nil }
        return MoveSendJob(
            account: JobAccount(account), servers: choice.addresses,
            serverFile: choice.file.map { JobPath($0) },
            archive: archive.map { JobPath($0.path) }, packs: archive?.packs ?? false,
            networkConfig: networkConfig,
            acceptsRandomPassphrase: acceptsRandomPassphrase, proxy: proxy,
            passphrase: JobPassphrase(passphrase, isWanted: true), isConfirmed: isConfirmed)
    }

    private func checkSpace(_ plan: SendPlan, _ context: OperationContext) throws {
        let needed = plan.archiveSize + plan.archiveSize / 20
        let free = try MoveRelay.freeSpace(context.folders)
        guard needed <= free else {
            throw OperationError(
                .noSpace,
                "the chunks lie on this machine until they were received: \(ByteCount.text(needed)) are needed and "
                    + "\(ByteCount.text(free)) are free; nothing was sent", need: .spaceToServe)
        }
    }
}

/// An account that waits for the other machine.
public struct SentAccountReport: OperationReport {
    /// What was sent, and how it is received.
    public let sent: SentAccount
    /// Whether this link was not shown before.
    package let isFirst: Bool
    /// Whether this process is the relay.
    package let isServed: Bool

    public var entryFailures: [EntryFailure] { sent.archiveErrors.map { EntryFailure($0) } }

    public func encode(to encoder: any Encoder) throws {
        try TypedDocument(type: "accountSent", value: sent).encode(to: encoder)
    }
}
