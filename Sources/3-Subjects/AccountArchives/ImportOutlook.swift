package import ValiseAccounts
package import ValiseChatSchema
package import ValiseFailures
package import ValiseMaintenance

/// What an import with this program would lead to.
package enum ImportOutlook: String, Sendable, Codable {
    /// An account that can be used as it is.
    case ready
    /// An account whose schema has to be upgraded first.
    case upgradeNeeded
    /// An account that a newer program made.
    case newerThanKnown
    /// Nothing: the schema of a database is nobody's that is known, or that of the other database.
    case unknownSchema
    /// Nothing: it is refused.
    case refused
    /// It cannot be told without the passphrase.
    case notKnown
}

/// What an import makes of both databases, by everything that was found of them. A verification tells the same, because it
/// asks here too.
package struct ImportJudgement: Sendable {
    /// What the databases lead to.
    package let outlook: ImportOutlook
    /// Whether the passphrase opens neither.
    package let isPassphraseWrong: Bool
    /// Whether one is damaged or missing, or the two do not belong together.
    package let isDamaged: Bool

    /// - Parameters:
    ///   - databases: those that could be reached.
    ///   - agreement: nil where not both could be read.
    ///   - schemas: those that could be read.
    package init(
        _ databases: [(AccountDatabase, DatabaseFindings)], agreement: DatabaseAgreement?,
        schemas: [(AccountDatabase, SchemaStatus)]
    ) {
        let isComplete = databases.count == AccountDatabase.allCases.count
        isPassphraseWrong = isComplete && databases.allSatisfy { $0.1.key == .wrong }
        isDamaged = !isComplete || databases.contains { !$0.1.isIntact } || agreement?.isIntact == false
        outlook = Self.outlook(databases, isDamaged: isDamaged, schemas)
    }

    private static func outlook(
        _ databases: [(AccountDatabase, DatabaseFindings)], isDamaged: Bool,
        _ schemas: [(AccountDatabase, SchemaStatus)]
    ) -> ImportOutlook {
        // No passphrase is needed to see that one is encrypted and the other not, or that one is no database.
        guard Set(databases.map(\.1.form)).count == 1 else { return .refused }
        guard !databases.contains(where: { $0.1.key == .notGiven && !$0.1.isIntact }) else { return .refused }
        if databases.contains(where: { $0.1.key == .wrong || $0.1.key == .notGiven }) { return .notKnown }
        guard !isDamaged, databases.allSatisfy({ $0.1.form == .unencrypted || $0.1.cipherFormat == 4 })
        else { return .refused }
        guard schemas.count == databases.count else { return .notKnown }
        let states = schemas.map { ArchivedSchema.State($0.1, of: $0.0) }
        return switch ArchivedSchema.State.worst(of: states) {
        case .current: .ready
        case .upgradeNeeded: .upgradeNeeded
        case .newerThanKnown: .newerThanKnown
        case .unknown: .unknownSchema
        }
    }

    /// Why an import refuses the databases, as a code; nil where it takes them.
    package var refusal: FailureCode? {
        if isPassphraseWrong { return .wrongPassphrase }
        if isDamaged { return .damaged }
        switch outlook {
        case .refused, .unknownSchema: return .unsupported
        case .ready, .upgradeNeeded, .newerThanKnown, .notKnown: return nil
        }
    }
}
