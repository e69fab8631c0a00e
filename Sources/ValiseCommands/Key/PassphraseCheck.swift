import AccountMaintenance
import Accounts
import Failures
import Secrets
import SystemPackage

/// Whether a passphrase opens both databases of an account.
enum PassphraseCheck {
    /// - Throws: `CommandError`: `wrongPassphrase`; `invalid` when nothing is encrypted; what else prevents
    ///   the opening.
    static func run(_ passphrase: borrowing SecretBytes, _ location: AccountLocation) throws {
        let copy: SecretBytes? = try passphrase.duplicate()
        let status = try AccountInspection().status(location, passphrase: copy)
        var encrypted = 0
        for database in [status.chat, status.agent] {
            switch database.access {
            case .opened: encrypted += 1
            case .notNeeded: break
            case .refused:
                throw CommandError(
                    .wrongPassphrase, "this passphrase does not open the database", subject: database.file)
            case .failed, .noPassphrase:
                throw CommandError(
                    .failed, "the passphrase cannot be checked: \(database.problem ?? "it cannot be opened")",
                    subject: database.file)
            case .noDatabase:
                throw CommandError(.notFound, "there is no database to check with", subject: database.file)
            }
        }
        guard encrypted > 0 else {
            throw CommandError(
                .invalid, "this account is not encrypted, so it has no passphrase",
                subject: location.directory.string)
        }
    }
}
