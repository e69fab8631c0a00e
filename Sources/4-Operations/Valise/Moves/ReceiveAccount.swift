import SystemPackage
public import ValiseAccounts
import ValiseContainers
import ValiseFailures
import ValiseFiles
public import ValiseMoves
import ValiseSecrets
import ValiseTransfers

/// Receives an account from another machine.
public struct ReceiveAccount: Operation {
    package var account: AccountLocation
    /// Nil to resume what was begun.
    package var source: MoveSource?
    /// Gives the source, once it is sure that something can be received here; nil where it is known.
    package var ask: (@Sendable () async throws -> MoveSource?)?
    /// Whether an existing account in the folder is replaced.
    public var replacesAccount = false
    /// Whether it is replaced even if it is newer or a different account.
    public var replacesNewer = false
    /// Whether receipt is acknowledged to the relays.
    public var acknowledges = true
    /// Whether the schema is migrated if necessary; nil to ask.
    public var schema: SchemaConfirmation?
    /// Whether to apply the network settings in the link; nil to ask.
    public var networkConfig: ReceivedNetworkConfig?
    /// Whether all relays may learn the network address.
    public var approvesRelays = false
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?
    package var passphrase: PassphraseSource
    /// Whether the user has already confirmed, so that no later run asks.
    public var isConfirmed = false

    /// - Parameters:
    ///   - source: the link or description; nil to resume.
    ///   - account: where it is received to.
    ///   - passphrase: opens the received databases.
    public init(
        _ source: MoveSource?, to account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.source = source
        self.account = account
        self.passphrase = passphrase
    }

    /// Where the account would be put. What a link refers to only its relays know: it is asked of them when the operation
    /// runs, and told by ``Question/receiveAccount(_:_:knownRelays:newRelays:)`` before anything is received.
    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        let source = try await prepared(context).source
        return try await context.blocking { _ in
            var plan = PlannedFiles()
            if case .archive(let path)? = source {
                plan.bytesToProcess = try FileSystem().attributes(of: FileSystem().resolve(path))?.size ?? 0
            }
            try plan.write(AccountDatabase.allCases.map(account.path))
            try plan.lookAtSpace(for: account.path(of: .chat))
            return plan
        }
    }

    public func run(in context: OperationContext) async throws -> ReceivedAccountReport {
        try await prepared(context).received(context)
    }

    /// With the source. Nobody is asked for it in vain.
    private func prepared(_ context: OperationContext) async throws -> ReceiveAccount {
        let resumes = source == nil && ask == nil
        try await context.blocking { _ in
            let states = MoveStates(context.folders)
            if resumes { try states.refuseID(account) }
            try RetiredMark.refuse(account, fileSystem: FileSystem())
            if resumes { return }
            try states.engine().refuseReceiving(into: account, replacesAccount: replacesAccount)
            try refuseContainer()
        }
        guard let ask else { return self }
        var operation = self
        operation.ask = nil
        operation.source = try await ask()
        return operation
    }

    private func received(_ context: OperationContext) async throws -> ReceivedAccountReport {
        let received: ReceivedAccount
        do {
            received = try await receive(context)
        } catch let error as DeviceMigrationError where error.kind == .interrupted && isInRecord {
            let account = Remedy.Account(directory: account.directory, prefix: account.prefix)
            throw DeviceMigrationError(.interrupted, error.message, remedy: .resumeReceiving(account))
        }
        let report = ReceivedAccountReport(received: received, location: account)
        context.tell(report.entryFailures)
        return report
    }

    /// A move is a zip. What others packed is a backup, which is imported.
    private func refuseContainer() throws {
        guard case .archive(let path)? = source, let archive = try? FileSource(path),
            let kind = try ContainerKind(of: archive)
        else { return }
        throw OperationError(
            .unsupported,
            "\(kind.article) \(kind.rawValue) archive, but only a zip can be received. Nothing was changed.",
            subject: path.string,
            remedy: .importArchive(path, Remedy.Account(account)))
    }

    /// Whether the record of the move has all that a later run needs to resume it, given the folder alone.
    private var isInRecord: Bool {
        if case .archive? = source { return false }
        let hasDefaults = !replacesAccount && !replacesNewer && acknowledges && proxy == nil
        return hasDefaults && schema == nil && networkConfig == nil
    }

    private func receive(_ context: OperationContext) async throws -> ReceivedAccount {
        let job = job
        return try await OperationJobs(context).run(job) { context, session in
            func relays(for use: RelayUse) throws -> RelayApproval {
                try context.relayApproval(
                    approvesAll: approvesRelays || proxy != nil,
                    besides: FileDownloadMemory(session.memory).approvedRelays,
                    unasked: { .unapproved($0) }, for: use
                ) { relays in
                    let memory = FileDownloadMemory(session.memory).approving(relays)
                    if let bytes = try? memory.bytes { session.remember(bytes) }
                }
            }
            let approval = try relays(for: .receiving)
            return try await job.perform(
                approval, receipt: relays(for: .receipt), questions(job, approval, context), context)
        }
    }

    private var job: MoveReceiveJob {
        var (links, archive): ([String], FilePath?) = ([], nil)
        switch source {
        case .links(let found): links = found
        case .archive(let path): archive = path
        case nil: break
        }
        return MoveReceiveJob(
            account: JobAccount(account), links: links, archive: archive.map { JobPath($0) },
            replacesAccount: replacesAccount, replacesNewer: replacesNewer, acknowledges: acknowledges,
            schema: schema, networkConfig: networkConfig, approvesRelays: approvesRelays, proxy: proxy,
            passphrase: JobPassphrase(passphrase, isWanted: true), isConfirmed: isConfirmed)
    }

    private func questions(
        _ job: MoveReceiveJob, _ approval: RelayApproval, _ context: OperationContext
    ) -> ReceiveQuestions {
        let asking = context.asking(to: "open the received account")
        var questions = job.questions(context) { try await key($0, asking) }
        questions.confirm = { info in
            guard let answer = try await context.agrees(to: info, account, approval) else {
                throw OperationError(
                    .invalid,
                    "receiving requires confirmation, but there is no way to ask. Nothing was received.",
                    need: .agreement)
            }
            return answer
        }
        return questions
    }

    private func key(_ attempt: Int, _ context: OperationContext) async throws -> SharedSecret {
        if attempt == 1 { return try await passphrase.existing(of: account, for: .untried, in: context) }
        let request = PassphraseRequest(
            of: account.directory.string, attempt: attempt, mostAttempts: AccountMove.mostPassphraseTries)
        guard passphrase.given == nil, let answer = try await context.questions.passphrase(request) else {
            throw OperationError(
                .wrongPassphrase,
                "wrong passphrase. The received data is kept.",
                subject: account.directory.string, need: .anotherPassphrase)
        }
        return answer
    }
}
