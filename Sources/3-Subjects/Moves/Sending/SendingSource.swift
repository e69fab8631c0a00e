import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// The account that is sent: what has to be true of it before.
struct SendingSource: Sendable {
    let location: AccountLocation
    let fileSystem: FileSystem

    /// The length of a passphrase that an app makes by chance: 32 bytes in base 64.
    private static let randomLength = 44

    /// Sees to it that nobody uses the account, and that the passphrase is right, under the exclusive lock.
    ///
    /// - Parameter enter: gets the states of the flow.
    /// - Returns: what an interrupted operation had left.
    func check(
        _ passphrase: borrowing SecretBytes, acceptsRandom: Bool, enter: (SendingState) throws -> Void
    ) throws -> AccountRecovery? {
        let account: AccountWriter
        do {
            account = try open()
        } catch let error as DeviceMigrationError where error.kind == .sourceInUse {
            try enter(.chatStopFailed(reason: error.message))
            throw error
        }
        defer { withExtendedLifetime(account) {} }
        do {
            try checkIsSet(passphrase, acceptsRandom: acceptsRandom)
        } catch let error as DeviceMigrationError {
            try enter(.passphraseNotSet)
            throw error
        }
        try enter(.passphraseConfirmation)
        try prove(passphrase)
        return account.recovery
    }

    /// Folds what a crashed program left into the databases, atomically of its own.
    /// - Returns: what an interrupted operation had left, and whether there was something to fold.
    func fold(
        _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> (recovery: AccountRecovery?, folded: Bool) {
        let account = try open()
        let folded = try account.fold(passphrase: passphrase, progress: progress)
        return (account.recovery, folded)
    }

    private func open() throws -> AccountWriter {
        do {
            return try AccountWriter(location, fileSystem: fileSystem)
        } catch let error as AccountError where error.code == .inUse {
            throw Self.inUse(error)
        }
    }

    /// Whether the account still has the archive of this identity. It is locked (shared) meanwhile.
    func isUnchanged(since identity: [UInt8]?, _ progress: ProgressHandler) throws -> Bool {
        do {
            return try ArchiveImage(location, fileSystem: fileSystem, progress: progress).identity == identity
        } catch let error as AccountError where error.code == .inUse {
            throw Self.inUse(error)
        } catch let error as AccountArchiveError where error.kind != .other {
            // Written to at this moment, or by a program that crashed.
            return false
        }
    }

    static func inUse(_ error: AccountError) -> DeviceMigrationError {
        DeviceMigrationError(
            .sourceInUse,
            "this account is in use\(error.holder.map { " by \($0)" } ?? ""); close it, and start it nowhere until it is "
                + "moved; nothing was changed", subject: error.path.string, remedy: error.remedy)
    }

    /// Who sends an account that everybody can open gives it to everybody who has the link.
    func checkIsSet(_ passphrase: borrowing SecretBytes, acceptsRandom: Bool) throws {
        for database in AccountDatabase.allCases {
            let file = try DatabaseFile(existing: database, of: location, fileSystem: fileSystem)
            guard file.form == .unencrypted else { continue }
            throw DeviceMigrationError(
                .passphraseNotSet,
                "this account has no passphrase, so that whoever gets the link could open it; nothing was sent",
                subject: file.path.string, remedy: .changePassphrase(Remedy.Account(location)))
        }
        guard !acceptsRandom, Self.looksRandom(passphrase) else { return }
        throw DeviceMigrationError(
            .passphraseNotSet,
            "this passphrase looks like the random one that an app makes and nobody knows; the other machine will ask for "
                + "it; nothing was sent", subject: location.directory.string,
            remedy: .changeOrAcceptPassphrase(Remedy.Account(location)))
    }

    private static func looksRandom(_ passphrase: borrowing SecretBytes) -> Bool {
        passphrase.withBytes { bytes in
            guard bytes.count == randomLength, bytes.last == UInt8(ascii: "=") else { return false }
            return bytes.dropLast().allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return character.isASCII && (character.isLetter || character.isNumber)
                    || character == "+" || character == "/"
            }
        }
    }

    /// Opens both databases where they are, without a lock of SQLite's.
    func prove(_ passphrase: borrowing SecretBytes) throws {
        do {
            try PassphraseVerification.run(passphrase, location, fileSystem)
        } catch let error as any Failure where error.code == .wrongPassphrase {
            throw DeviceMigrationError(
                .wrongPassphrase, "this is not the passphrase of the account; nothing was sent",
                subject: error.subject)
        }
    }
}
