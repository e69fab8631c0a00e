public import ValiseAccounts
public import ValiseConcurrency
public import ValiseMedia

/// Encrypts the unencrypted media of an account, each with its own key, which the chat database stores.
public typealias EncryptMedia = ConvertMedia<MediaEncrypting>

/// Decrypts the media of an account in place: anyone who can read the folder can read them afterwards.
public typealias DecryptMedia = ConvertMedia<MediaDecrypting>

/// Converts the media of an account in one direction: ``EncryptMedia`` or ``DecryptMedia``.
public struct ConvertMedia<Choice: MediaDirectionChoice>: Operation {
    package var account: AccountLocation
    package var selection: MediaSelection
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account whose media are converted.
    ///   - selection: which media.
    ///   - passphrase: opens the databases.
    public init(
        of account: AccountLocation, _ selection: MediaSelection = MediaSelection(),
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.selection = selection
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> ConvertedMedia {
        let key = try await passphrase.passphrase(of: account, for: .changing, in: asking(context))
        let report = try await context.blocking { progress in
            try MediaConversion(Choice.direction, selection)
                .plan(account, passphrase: key.bytes, progress: progress)
        }
        context.note(RecoveryNote(report.recovery))
        return ConvertedMedia(direction: Choice.direction, report: report)
    }

    private func asking(_ context: OperationContext) -> OperationContext {
        context.asking(to: "\(Choice.direction.rawValue) its media") {
            try MediaConversion(Choice.direction, selection).refuseFullDisk(account)
        }
    }

    public func run(in context: OperationContext) async throws -> ConvertedMedia {
        let key = try await passphrase.passphrase(of: account, for: .changing, in: asking(context))
        let job = MediaConversionJob<Choice>(
            account, selection, JobPassphrase(passphrase, isWanted: !key.bytes.isEmpty))
        let converted = try await OperationJobs(context).run(job) { context, _ in
            try await context.blocking { try job.perform(passphrase: key, progress: $0) }
        }
        context.note(RecoveryNote(converted.report.recovery))
        context.tell(converted.entryFailures)
        return converted
    }
}

/// What a conversion of media did or would do.
public struct ConvertedMedia: OperationReport {
    package let direction: MediaDirection
    /// What was done.
    package let report: MediaConversionReport

    /// How many files were converted; in a plan, how many would be.
    public var files: Int { report.files }
    /// Their content in bytes.
    public var bytes: Int64 { report.bytes }
    /// The number of files left unchanged.
    public var leftCount: Int { report.leftCount }

    public var hasEntryErrors: Bool { leftCount > 0 }
    public var entryFailures: [EntryFailure] { report.left.map { EntryFailure($0) } }

    public func encode(to encoder: any Encoder) throws {
        try TypedDocument(type: "mediaConverted", value: report).encode(to: encoder)
    }
}

/// A direction as a type.
public protocol MediaDirectionChoice: Sendable {
    static var direction: MediaDirection { get }
}

/// Unencrypted files are encrypted.
public enum MediaEncrypting: MediaDirectionChoice {
    /// Encrypts.
    public static let direction = MediaDirection.encrypt
}

/// Encrypted files are decrypted.
public enum MediaDecrypting: MediaDirectionChoice {
    /// Decrypts.
    public static let direction = MediaDirection.decrypt
}
