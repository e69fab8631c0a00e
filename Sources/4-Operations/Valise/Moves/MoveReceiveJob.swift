import SystemPackage
package import ValiseAccounts
public import ValiseConcurrency
import ValiseJobQueue
public import ValiseMoves
import ValiseSecrets
import ValiseTransfers

/// ``ReceiveAccount`` as a job.
struct MoveReceiveJob: DurableOperation {
    static let kind = "move.receive"
    static let queue = JobQueueName.transfers

    let account: JobAccount
    /// Empty to resume what was begun, or with an archive.
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
    var paths: [FilePath] { [account.location.directory] }
    var leftovers: JobLeftovers? { .receivedAccount(account.location) }
    var mayAsk: Bool { !isConfirmed || passphrase.mayBeAskedFor || !(approvesRelays || proxy != nil) }

    // MARK: Doing it

    private var source: MoveSource? {
        if let archive { return .archive(archive.path) }
        return links.isEmpty ? nil : .links(links)
    }

    /// - Parameter receipt: approves the relays that are told of what an earlier run received.
    func perform(
        _ approval: RelayApproval, receipt: RelayApproval, _ questions: ReceiveQuestions,
        _ context: OperationContext
    ) async throws -> ReceivedAccount {
        let location = account.location
        var options = ReceiveOptions(approval: approval)
        options.receiptApproval = receipt
        options.replacesAccount = replacesAccount
        options.replacesNewer = replacesNewer
        options.acknowledges = acknowledges
        options.approvesRelays = approvesRelays
        let reporter = MoveReporter(context)
        return try await MoveStates(context.folders).withEngine(proxy) { [options] move in
            try await move.receive(source, to: location, options, questions, report: reporter.tell)
        }
    }

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        let approvesAll = approvesRelays || proxy != nil
        let approval = try context.relayApproval(approvesAll: approvesAll)
        let received = try await perform(
            approval, receipt: context.relayApproval(approvesAll: approvesAll, for: .receipt),
            questions(approval, context), context.operation)
        return try context.result(ReceivedAccountReport(received: received, location: account.location))
    }

    /// What was answered when the move was asked for is known; the rest is asked of the user who is there.
    private func questions(_ approval: RelayApproval, _ context: ResumptionContext) -> ReceiveQuestions {
        let location = account.location
        var questions = questions(context.operation) { attempt in
            guard attempt == 1, let key = try await passphrase.key(of: location, account.name, context) else {
                throw UserNeeded(.passphrase(of: account.name, cause: nil))
            }
            return key
        }
        questions.confirm = { info in
            if isConfirmed { return true }
            guard let answer = try await context.operation.agrees(to: info, location, approval) else {
                throw UserNeeded(.agreement)
            }
            return answer
        }
        return questions
    }

    /// - Parameter passphrase: as of `ReceiveQuestions`.
    func questions(
        _ context: OperationContext,
        passphrase: @escaping @Sendable (_ attempt: Int) async throws -> SharedSecret
    ) -> ReceiveQuestions {
        var questions = ReceiveQuestions(passphrase: passphrase)
        questions.upgradesSchema = { plan in
            if let schema { return schema == .yesUp }
            return try await context.questions.answer(.migrateReceived(plan)) ?? false
        }
        questions.takesNetworkConfig = { config in
            if let networkConfig { return networkConfig == .take }
            return try await context.questions.answer(.useNetworkConfig(config)) ?? false
        }
        return questions
    }
}

extension OperationContext {
    /// Whether the user agrees to receive what a link says; nil where nobody can be asked.
    ///
    /// - Parameter approval: tells which of its relays he is asked about next.
    func agrees(
        to info: ReceiveInfo, _ location: AccountLocation, _ approval: RelayApproval
    ) async throws -> Bool? {
        let known = Set(try KnownRelays.configured(folders).map(\.address.text))
        let new = approval.unknown(among: info.parts.flatMap(\.servers).map(\.address))
        return try await questions.answer(
            .receiveAccount(location, info, knownRelays: known, newRelays: new))
    }
}

/// An account that was received.
public struct ReceivedAccountReport: OperationReport {
    /// What came.
    package let received: ReceivedAccount
    package let location: AccountLocation

    /// Of the move.
    public var id: String { received.id }
    /// The words that the other machine shows too if everything arrived.
    public var words: FingerprintWords { received.words }
    /// How many files were imported, including the databases; nil if the run that imported them was killed.
    public var entries: Int? { received.imported.entries }
    /// The size of these files, in bytes; nil in the same case.
    public var size: Int64? { received.imported.size }

    public var entryFailures: [EntryFailure] { received.imported.archiveErrors.map { EntryFailure($0) } }

    public func encode(to encoder: any Encoder) throws {
        try TypedDocument(type: "accountReceived", value: received).encode(to: encoder)
    }
}
