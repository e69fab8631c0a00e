import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseJobQueue
import ValiseMoves
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// `valise move receive` as a job.
struct MoveReceiveAct: JobbedAct {
    static let kind = "move.receive"
    static let queue = JobQueueName.transfers

    let account: JobAccount
    /// Empty to go on with what was begun, or with an archive.
    let links: [String]
    let archive: JobPath?
    let replacesAccount: Bool
    let replacesNewer: Bool
    let acknowledges: Bool
    let schema: SchemaConfirmation?
    let networkConfig: ReceivedNetworkConfig?
    let approvesRelays: Bool
    let proxy: ProxyAddress?
    let passphrase: JobPassphrase
    /// Whether nobody is to be asked about the link.
    let isConfirmed: Bool

    var title: String { "move of \(account.name) from another machine" }
    var identity: [String] { [account.identity] }
    var remains: String? {
        "'valise move status' tells how far it was, and 'valise move cancel' removes what was received"
    }

    // MARK: Doing it

    private var source: MoveSource? {
        if let archive { return .archive(archive.path) }
        return links.isEmpty ? nil : .links(links)
    }

    func perform(
        _ approval: RelayApproval, _ questions: ReceiveQuestions, listener: some TransferListener
    ) async throws -> ReceivedAccount {
        let location = account.location
        var options = ReceiveOptions(approval: approval)
        options.replacesAccount = replacesAccount
        options.replacesNewer = replacesNewer
        options.acknowledges = acknowledges
        let narration = MoveNarration(listener)
        return try await MoveStates.withEngine(proxy) { [options] move in
            try await move.receive(source, to: location, options, questions, report: narration.tell)
        }
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        let approval = try context.relayApproval(approvesAll: approvesRelays || proxy != nil)
        let received = try await perform(
            approval, questions(context), listener: ActListener(context: context))
        return ActResult(
            json: try JSONText.encode(TypedResult(type: "accountReceived", value: received)),
            text: ReceivedText(location: account.location).text(received),
            hasEntryErrors: !received.imported.archiveErrors.isEmpty)
    }

    /// What was answered in the command is known; the rest is asked of the person who is there.
    private func questions(_ context: ActContext) -> ReceiveQuestions {
        let confirm = context.person?.confirm
        var questions = ReceiveQuestions { attempt in
            guard attempt == 1,
                let key = try passphrase.key(for: account.location, account.name, context.person)
            else { throw JobPassphrase.needed(account.name) }
            return SharedSecret(key)
        }
        questions.confirm = { info in
            if isConfirmed { return true }
            guard let confirm else {
                throw PersonNeeded("nobody has agreed to this move yet: 'valise jobs resume {job}' asks")
            }
            let known = Set(try KnownRelays.configured().map(\.address.text))
            return try await confirm(
                "\(MovePlanText.text(info, account.location, known: known))\nReceive it?")
        }
        questions.upgradesSchema = { plan in
            if let schema { return schema == .yesUp }
            return try await confirm?("\(MigrationPlanText.text(plan))\nMigrate the received account?")
                ?? false
        }
        questions.takesNetworkConfig = { config in
            if let networkConfig { return networkConfig == .take }
            return try await confirm?("Use these network settings: \(config.text.withoutControls)?") ?? false
        }
        return questions
    }
}
