import ValiseAccounts

/// Which passphrase opens an account after a change of its encryption was interrupted, without knowing any of them.
package enum OpeningPassphrase: String, Encodable, Sendable {
    case previous
    case new
    /// The one before the change is the one after it.
    case unchanged
    /// The databases are not encrypted.
    case notNeeded
    /// The previous one or the new one.
    case unknown

    /// Nil for a change of what is in the databases.
    /// - Throws: `FileError`.
    init?(_ change: AccountChangeKind, _ ending: JobEnding, _ location: AccountLocation) throws {
        switch change {
        case .content: return nil
        case .cipherSettings: self = .unchanged
        case .passphrase:
            let account = AccountReader(asItIs: location)
            let isEncrypted = try AccountDatabase.allCases.contains {
                try account.form(of: $0) == .encrypted
            }
            guard isEncrypted else {
                self = .notNeeded
                return
            }
            switch ending {
            case .completed: self = .new
            case .rolledBack: self = .previous
            case .unknown: self = .unknown
            }
        }
    }
}
