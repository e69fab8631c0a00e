import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseJobQueue
import ValiseMedia
import ValiseSecrets

/// `valise media encrypt` and `decrypt` as jobs, of a kind each.
struct MediaConversionAct<Choice: MediaDirectionChoice>: JobbedAct {
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
    var remains: String? { "files that were converted stay as they are now" }

    func perform(
        passphrase: borrowing SecretBytes, progress: ProgressHandler
    ) throws -> MediaConversionReport {
        try MediaConversion(Choice.direction, selection).run(
            account.location, passphrase: passphrase, progress: progress)
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        let report = try await BlockingAct.run(context.progress) { progress in
            let key = try passphrase.key(for: account.location, account.name, context.person)
            return try perform(passphrase: key ?? SecretBytes.empty(), progress: progress)
        }
        report.recovery.map { context.note($0.doneSentence) }
        return ActResult(
            json: try JSONText.encode(TypedResult(type: "mediaConverted", value: report)),
            text: MediaConversionText(Choice.direction).text(report), hasEntryErrors: report.leftCount > 0)
    }
}

/// A direction as a type.
protocol MediaDirectionChoice: Sendable {
    static var direction: MediaDirection { get }
}

enum MediaEncrypting: MediaDirectionChoice {
    static let direction = MediaDirection.encrypt
}

enum MediaDecrypting: MediaDirectionChoice {
    static let direction = MediaDirection.decrypt
}

typealias MediaEncryptionAct = MediaConversionAct<MediaEncrypting>
typealias MediaDecryptionAct = MediaConversionAct<MediaDecrypting>
