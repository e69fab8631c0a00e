import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseJobQueue
import ValiseMoves
import ValiseSecrets
import ValiseXFTPWire

/// `valise move send` as a job. The link is not what comes of it: 'valise move link' shows that.
struct MoveSendAct: JobbedAct {
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
    var remains: String? { "'valise move status' tells how far it was, and 'valise move cancel' undoes it" }

    // MARK: Doing it

    func options(_ relays: [RelayAccess]) -> SendOptions {
        var options = SendOptions(.relays(relays))
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
        _ key: SharedSecret, _ relays: [RelayAccess], isRenewal: Bool,
        confirm: @escaping @Sendable (SendPlan) async throws -> Bool, listener: some TransferListener
    ) async throws -> SentAccount {
        let location = account.location
        let narration = MoveNarration(listener)
        return try await MoveStates.withEngine(proxy) { move in
            if isRenewal {
                return try await move.renew(
                    location, passphrase: key, options(relays), report: narration.tell)
            }
            return try await move.send(
                location, passphrase: key, options(relays), confirm: confirm, report: narration.tell)
        }
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        let location = account.location
        let key = try passphrase.key(for: location, account.name, context.person) ?? SecretBytes.empty()
        let relays = archive == nil ? try RelayChoiceOptions.relays(servers, serverFile?.path) : []
        let sent = try await perform(
            SharedSecret(key), relays, isRenewal: false,
            confirm: { plan in
                if isConfirmed { return true }
                guard let confirm = context.person?.confirm else {
                    throw PersonNeeded("nobody has agreed to this move yet: 'valise jobs resume {job}' asks")
                }
                let text = MovePlanText.text(plan, location, store: nil, isServed: false)
                return try await confirm("\(text)\nSend it?")
            }, listener: ActListener(context: context))
        return ActResult(
            json: try JSONText.encode(Outcome(account: account.name, sent)),
            text:
                "\(account.name) was sent; \(RemedyCommand.quoted("valise move link \(location.arguments)")) shows the link and what comes next"
                .withoutControls,
            hasEntryErrors: !sent.archiveErrors.isEmpty)
    }

    /// Without what is secret.
    private struct Outcome: Encodable {
        let type = "accountSent"
        let account: String
        let id: String
        let words: ProofWords
        let created: Int64
        let expires: Int64?

        init(account: String, _ sent: SentAccount) {
            self.account = account
            (id, words, created, expires) = (sent.id, sent.words, sent.created, sent.expires)
        }
    }
}
