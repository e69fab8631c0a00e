public import SystemPackage
public import ValiseAccounts
import ValiseFiles
public import ValiseKeys
import ValiseMaintenance
import ValiseSecrets

/// Makes a sheet to print: the passphrase of an account as text and as a QR code, and how to use it.
public struct DrawRecoverySheet: Operation {
    package var account: AccountLocation
    /// The file to write, which is as secret as the passphrase.
    package var file: FilePath
    package var format: RecoverySheet.Format
    /// Whether a file of this name is replaced, if it has the same format.
    package var replaces: Bool
    /// The day, as the sheet shows it.
    package var date: String
    /// How the program that makes the sheet takes the passphrase, one paragraph each.
    package var usage: [String]
    /// First has to open both databases.
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account.
    ///   - file: the file to write, which is as secret as the passphrase.
    ///   - format: its format.
    ///   - date: the day, as the sheet shows it.
    ///   - usage: how the program that makes the sheet takes the passphrase, one paragraph each.
    ///   - replaces: whether a file of this name is replaced, if it has the same format.
    ///   - passphrase: the one on the sheet; first has to open both databases.
    public init(
        of account: AccountLocation, to file: FilePath, as format: RecoverySheet.Format, date: String,
        usage: [String] = [], replaces: Bool = false, passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.file = file
        self.format = format
        self.date = date
        self.usage = usage
        self.replaces = replaces
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        _ = try await checkedPassphrase(context)
        return try await context.blocking { _ in
            var plan = PlannedFiles()
            try plan.write([file])
            try plan.lookAtSpace(for: file)
            return plan
        }
    }

    private var target: SecretFile {
        SecretFile(file, replaces: replaces, .drawing(format == .pdf ? .pdf : .svg))
    }

    /// Sees to it that the file can be written and that the passphrase opens the account.
    private func checkedPassphrase(_ context: OperationContext) async throws -> SharedSecret {
        try await context.blocking { _ in
            try target.check()
            try PassphraseCheck.refuseUnencrypted(account)
        }
        let key = try await passphrase.existing(
            of: account, in: context.asking(to: "print it on the sheet"))
        try await context.blocking { _ in try PassphraseCheck.require(key.bytes, account) }
        return key
    }

    public func run(in context: OperationContext) async throws -> RecoverySheetReport {
        let key = try await checkedPassphrase(context)
        return try await context.blocking { _ in
            let details = RecoverySheet.Details(
                folder: try FileSystem().resolve(account.directory).string, prefix: account.prefix,
                date: date, usage: usage)
            var outcome: RecoverySheet.Outcome?
            try target.write(RecoverySheet.draw(key.bytes, details, as: format) { outcome = $0 })
            return RecoverySheetReport(
                file: file.string, format: format.rawValue, hasCode: outcome?.hasCode ?? false,
                isEscaped: outcome?.isEscaped ?? false, pages: outcome?.pages ?? 0)
        }
    }
}

/// A sheet that was drawn.
public struct RecoverySheetReport: OperationReport {
    package let type = "keySheet"
    package let file: String
    package let format: String
    /// Whether there is a QR code; a passphrase that is too long for one has only the text.
    public let hasCode: Bool
    /// Whether bytes had to be written as `\xNN`.
    package let isEscaped: Bool
    /// The number of pages.
    public let pages: Int
}

/// Compares a printed sheet with the account: what is typed from it has to open both databases.
public struct VerifyRecoverySheet: Operation {
    package var account: AccountLocation
    /// Its key stores are not asked.
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - account: the account.
    ///   - passphrase: what is typed from the sheet; its key stores are not asked.
    public init(of account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> VerifiedRecoverySheet {
        try await context.blocking { _ in try PassphraseCheck.refuseUnencrypted(account) }
        let typed = try await passphrase.typed(
            of: account, in: context.asking(to: "compare it with the printed sheet"))
        try await context.blocking { _ in try PassphraseCheck.require(typed.bytes, account) }
        return VerifiedRecoverySheet(account: account.directory.string)
    }
}

/// A sheet whose passphrase opens both databases.
public struct VerifiedRecoverySheet: OperationReport {
    package let type = "keySheetVerified"
    /// The folder of the account.
    package let account: String
}
