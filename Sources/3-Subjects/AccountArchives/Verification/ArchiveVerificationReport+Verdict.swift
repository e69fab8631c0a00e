import ValiseAccounts
import ValiseArchives
import ValiseChatSchema
import ValiseContainers
import ValiseFailures
import ValiseMaintenance
import ValiseMedia

extension StructureFindings {
    mutating func refuse(_ error: ZipError) {
        refusal = EntryProblem(error)
        isUnsupported = error.code == .unsupported
    }

    mutating func refuse(_ error: ContainerError) {
        // The verdict says that it can be salvaged.
        refusal = EntryProblem(
            entry: error.entry, defect: error.defect.rawValue,
            message: Remark(error.message, remedy: error.limitRemedy))
        isUnsupported = error.code == .unsupported
    }
}

extension EntryProblem {
    init(_ error: ZipError) {
        self.init(entry: error.entry, defect: error.defect.rawValue, message: Remark(error))
    }
}

extension ArchiveVerificationReport {
    /// Draws the conclusions once everything is found.
    mutating func settle() {
        importOutlook = outlook
        verdict = conclusion
        notProved = unproved
    }

    // MARK: The verdict

    private var conclusion: Verdict {
        if structure.refusal != nil { return structure.isUnsupported ? .unsupported : .damaged }
        if !missing.isEmpty || contents?.hasDatabaseProblem == true { return .damaged }
        switch judgement.refusal {
        case .wrongPassphrase: return .wrongPassphrase
        case .damaged: return .damaged
        case .some: return .unsupported
        case nil: if structure.hiddenCount > 0 { return .unsupported }
        }
        if importOutlook == .newerThanKnown { return .newer }
        if contents?.problemCount ?? 0 > 0 || mediaProblemCount > 0 { return .entryProblems }
        return importOutlook == .notKnown ? .unverified : .intact
    }

    private var judgement: ImportJudgement {
        ImportJudgement(databases, agreement: agreement, schemas: schemas)
    }

    /// Rows and files that are not in order. What no message speaks of takes space and harms nothing, and of what lies
    /// outside of an account nothing can be said: neither counts.
    public var mediaProblemCount: Int {
        guard let media else { return 0 }
        return media.problemCount - media.count(.unreferenced) - media.count(.elsewhere)
    }

    // MARK: The import

    private var outlook: ImportOutlook {
        guard structure.refusal == nil, structure.hiddenCount == 0, missing.isEmpty,
            contents?.hasDatabaseProblem != true
        else { return .refused }
        return judgement.outlook
    }

    // MARK: What is not proved

    private var unproved: [Unproved] {
        guard databases.count == AccountDatabase.allCases.count else {
            return [Unproved.Subject.pages, .tables, .schema, .media].map { Unproved($0, .damaged, nil) }
        }
        let known = schemas.map(\.0)
        return unproved(.pages) { $1.form == .unencrypted ? .notEncrypted : nil }
            + unproved(.tables) { $1.isWalked ? nil : .damaged }
            + unproved(.schema) { database, _ in known.contains(database) ? nil : .damaged }
            + unprovedMedia
    }

    /// - Parameter reason: why a database that was opened is not proved; nil where it is.
    private func unproved(
        _ subject: Unproved.Subject, _ reason: (AccountDatabase, DatabaseFindings) -> Unproved.Reason?
    ) -> [Unproved] {
        let reasons = databases.map { ($0.0, Self.reason($0.1) ?? reason($0.0, $0.1)) }
        // What holds for both is said once.
        if reasons[0].1 == reasons[1].1 { return reasons[0].1.map { [Unproved(subject, $0, nil)] } ?? [] }
        return reasons.compactMap { database, reason in reason.map { Unproved(subject, $0, database) } }
    }

    private var unprovedMedia: [Unproved] {
        guard media == nil, let chat else { return [] }
        let isForeign = chatSchema.map { !$0.origin.isKnown } ?? false
        return [Unproved(.media, Self.reason(chat) ?? (isForeign ? .unsupported : .damaged), nil)]
    }

    /// Why nothing of a database is proved; nil where it was opened.
    private static func reason(_ findings: DatabaseFindings) -> Unproved.Reason? {
        switch findings.key {
        case .notGiven: .noPassphrase
        case .wrong: .wrongPassphrase
        case .right: nil
        case .notNeeded: findings.form == .unknown ? .damaged : nil
        }
    }
}
