import ValiseAccounts
import ValiseFailures
import ValiseMaintenance
import ValiseSecrets

extension PassphraseCheck {
    /// Demands that a passphrase opens both databases of an account.
    /// - Throws: ``OperationError``: `wrongPassphrase`; `invalid` when nothing is encrypted; what else prevents
    ///   the opening.
    static func require(_ passphrase: borrowing SecretBytes, _ location: AccountLocation) throws {
        let results = try run(location, passphrase: passphrase)
        if results.count > 1, results.allSatisfy({ $0.answer == .wrong }) {
            throw OperationError(
                .wrongPassphrase, "wrong passphrase",
                subject: location.directory.string)
        }
        for result in results {
            guard let (code, sentence) = refusal(result.answer) else { continue }
            throw OperationError(code, sentence, subject: result.path)
        }
        guard results.contains(where: { $0.answer != .unencrypted }) else { throw noPassphrase(location) }
    }

    /// Refuses an account without a passphrase, before anybody is asked for one.
    /// - Throws: ``OperationError``: `invalid`; `FileError`.
    static func refuseUnencrypted(_ location: AccountLocation) throws {
        let account = AccountReader(asItIs: location)
        let forms = try AccountDatabase.allCases.map { try account.form(of: $0) }
        if forms.allSatisfy({ $0 == .unencrypted }) { throw noPassphrase(location) }
    }

    private static func noPassphrase(_ location: AccountLocation) -> OperationError {
        OperationError(
            .invalid, "this account is not encrypted, so it has no passphrase",
            subject: location.directory.string)
    }

    private static func refusal(_ answer: PassphraseAnswer) -> (FailureCode, String)? {
        switch answer {
        case .right, .otherParameters, .unencrypted: nil
        case .wrong: (.wrongPassphrase, "wrong passphrase")
        case .firstPageDamaged:
            (.damaged, "correct passphrase, but the first page of the database is damaged")
        case .notSQLCipher: (.damaged, "cannot check the passphrase: not a database")
        case .missing: (.notFound, "cannot check the passphrase: no such database")
        }
    }
}
