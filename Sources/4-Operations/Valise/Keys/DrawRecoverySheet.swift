public import SystemPackage
public import ValiseAccounts
import ValiseFiles
public import ValiseKeys
import ValiseMaintenance
import ValiseSecrets

/// Makes a sheet to print: the passphrase of an account as text and as a QR code, and how to use it.
public struct DrawRecoverySheet: Operation {
    public var account: AccountLocation
    /// The file to write, which is as secret as the passphrase.
    public var file: FilePath
    public var format: RecoverySheet.Format
    /// Whether a file of this name is replaced, if it has the same format.
    public var replaces = false
    /// The day, as the sheet shows it.
    public var date: String
    /// How the program that makes the sheet takes the passphrase, one paragraph each.
    public var usage: [String] = []
    /// First has to open both databases.
    public var passphrase: PassphraseSource

    public init(
        of account: AccountLocation, to file: FilePath, as format: RecoverySheet.Format, date: String,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.account = account
        self.file = file
        self.format = format
        self.date = date
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> RecoverySheetReport {
        let target = PrivateFile(file, replaces: replaces, .drawing(format == .pdf ? .pdf : .svg))
        try await context.blocking { _ in try target.check() }
        let key = try await passphrase.existing(of: account, in: context)
        return try await context.blocking { _ in
            try PassphraseCheck.require(key.bytes, account)
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
    public let type = "keySheet"
    public let file: String
    public let format: String
    /// Whether there is a QR code; a passphrase that is too long for one has only the text.
    public let hasCode: Bool
    /// Whether bytes had to be written as `\xNN`.
    public let isEscaped: Bool
    public let pages: Int
}

/// Compares a printed sheet with the account: what is typed from it has to open both databases.
public struct VerifyRecoverySheet: Operation {
    public var account: AccountLocation
    /// Its key stores are not asked.
    public var passphrase: PassphraseSource

    public init(of account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> VerifiedRecoverySheet {
        let typed = try await passphrase.typed(of: account, in: context)
        try await context.blocking { _ in try PassphraseCheck.require(typed.bytes, account) }
        return VerifiedRecoverySheet(account: account.directory.string)
    }
}

/// A sheet whose passphrase opens both databases.
public struct VerifiedRecoverySheet: OperationReport {
    public let type = "keySheetVerified"
    /// The folder of the account.
    public let account: String
}
