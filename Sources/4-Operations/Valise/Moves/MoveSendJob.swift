import SystemPackage
package import ValiseAccounts
import ValiseConcurrency
import ValiseJobQueue
package import ValiseMoves
import ValiseSecrets
import ValiseXFTPWire

/// ``SendAccount`` as a job. The link is not what comes of it: ``ShowMoveLink`` has that.
struct MoveSendJob: DurableOperation {
    static let kind = "move.send"
    static let queue = JobQueueName.transfers

    let account: JobAccount
    let servers: [String]
    let serverFile: JobPath?
    /// The archive to write instead.
    let archive: JobPath?
    let packs: Bool
    let networkConfig: SentNetworkConfig
    let acceptsRandomPassphrase: Bool
    let proxy: ProxyAddress?
    let passphrase: JobPassphrase
    /// Whether nobody is to be asked about the plan.
    let isConfirmed: Bool

    var title: String { "move of \(account.name) to another machine" }
    var identity: [String] { [account.identity] }
    var paths: [FilePath] { [account.location.directory] }
    var sources: [JobSource] { [.account(account)] }
    var leftovers: JobLeftovers? { .sentAccount(account.location) }
    var mayAsk: Bool { !isConfirmed || passphrase.mayBeAskedFor }

    // MARK: Doing it

    func options(_ relays: [RelayAccess]) -> SendOptions {
        var options = SendOptions(.relays(relays))
        options.namedRelays = NamedRelays(servers, file: serverFile?.absolute)
        if let archive { options.destination = .file(FilePath(archive.absolute), packs: packs) }
        options.includesNetworkConfig = networkConfig == .app
        options.networkConfig = networkConfig.given
        options.acceptsRandomPassphrase = acceptsRandomPassphrase
        return options
    }

    /// - Parameters:
    ///   - isRenewal: whether what was sent before is replaced.
    ///   - confirm: sees the plan.
    func perform(
        _ key: SharedSecret, _ relays: [RelayAccess], isRenewal: Bool, _ context: OperationContext,
        confirm: @escaping @Sendable (SendPlan) async throws -> Bool
    ) async throws -> SentAccount {
        let location = account.location
        let reporter = MoveReporter(context)
        return try await MoveStates(context.folders).withEngine(proxy) { move in
            if isRenewal {
                return try await move.renew(location, passphrase: key, options(relays), report: reporter.tell)
            }
            return try await move.send(
                location, passphrase: key, options(relays), confirm: confirm, report: reporter.tell)
        }
    }

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        try await context.requireSameSources()
        let location = account.location
        let key = try await passphrase.key(of: location, account.name, context)
        let relays =
            archive == nil
            ? try RelayChoice(servers, file: serverFile?.path).relays(context.operation.folders) : []
        let sent = try await perform(
            key ?? SharedSecret(SecretBytes.empty()), relays, isRenewal: false, context.operation
        ) { plan in
            if isConfirmed { return true }
            guard let answer = try await context.operation.questions.answer(.sendAccount(location, plan))
            else {
                throw UserNeeded(.agreement)
            }
            return answer
        }
        return try context.result(SentAccountSummary(sent, account.name, location))
    }
}

/// What a job tells of an account that was sent: nothing that is secret.
package struct SentAccountSummary: OperationReport {
    /// The account.
    package let location: AccountLocation
    package let account: String
    package let id: String
    package let words: FingerprintWords
    package let created: Int64
    package let expires: Int64?
    package let hasEntryErrors: Bool

    init(_ sent: SentAccount, _ account: String, _ location: AccountLocation) {
        self.location = location
        self.account = account
        (id, words, created, expires) = (sent.id, sent.words, sent.created, sent.expires)
        hasEntryErrors = !sent.archiveErrors.isEmpty
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("accountSent", forKey: .type)
        try container.encode(account, forKey: .account)
        try container.encode(id, forKey: .id)
        try container.encode(words, forKey: .words)
        try container.encode(created, forKey: .created)
        try container.encodeIfPresent(expires, forKey: .expires)
    }

    private enum Key: CodingKey { case type, account, id, words, created, expires }
}
