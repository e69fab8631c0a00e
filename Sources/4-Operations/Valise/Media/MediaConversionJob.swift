import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseJobQueue
import ValiseMedia
import ValiseSecrets

/// ``EncryptMedia`` and ``DecryptMedia`` as jobs, of a kind each.
struct MediaConversionJob<Choice: MediaDirectionChoice>: DurableOperation {
    static var kind: String { "media.\(Choice.direction.rawValue)" }
    static var queue: JobQueueName { .archives }

    private let account: JobAccount
    private let selection: MediaSelection
    private let passphrase: JobPassphrase

    init(_ location: AccountLocation, _ selection: MediaSelection, _ passphrase: JobPassphrase) {
        account = JobAccount(location)
        self.selection = selection
        self.passphrase = passphrase
    }

    var title: String { "media \(Choice.direction.rawValue)ion in \(account.name)" }
    var identity: [String] { [account.identity] }
    var paths: [FilePath] { [account.location.directory] }
    var sources: [JobSource] { [.account(account)] }
    var leftovers: JobLeftovers? { .convertedMedia }
    var mayAsk: Bool { passphrase.mayBeAskedFor }

    func perform(passphrase: SharedSecret, progress: ProgressHandler) throws -> ConvertedMedia {
        ConvertedMedia(
            direction: Choice.direction,
            report: try MediaConversion(Choice.direction, selection).run(
                account.location, passphrase: passphrase.bytes, progress: progress))
    }

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        try await context.requireSameSources()
        let key = try await passphrase.key(of: account.location, account.name, context)
        let secret = try key ?? SharedSecret(SecretBytes.empty())
        let report = try await context.operation.blocking { progress in
            try perform(passphrase: secret, progress: progress)
        }
        context.operation.note(RecoveryNote(report.report.recovery))
        return try context.result(report)
    }
}

typealias MediaEncryptionJob = MediaConversionJob<MediaEncrypting>
typealias MediaDecryptionJob = MediaConversionJob<MediaDecrypting>
