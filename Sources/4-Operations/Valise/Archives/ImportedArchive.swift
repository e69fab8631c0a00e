public import ValiseAccountArchives
public import ValiseConcurrency
public import ValiseFailures
public import ValiseMaintenance

/// What an import did.
public struct ImportedArchive: OperationReport {
    /// What was imported.
    package let report: ImportReport
    /// The folder of the account.
    package let account: String

    /// The number of imported files, including the databases.
    public var entries: Int { report.entries }
    /// Their bytes.
    public var size: Int64 { report.size }
    /// Whether an existing account was replaced.
    public var replacedAccount: Bool { report.replacedAccount }

    public var entryFailures: [EntryFailure] { report.archiveErrors.map { EntryFailure($0) } }

    public func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
}

/// What an import would do.
public struct ImportArchivePlan: Encodable, Sendable {
    /// What would be done.
    package let plan: ImportPlan
    /// Nil where the databases were not opened.
    public let schema: ArchivedSchema?
    /// Why the import would change nothing.
    public let refusal: (any Failure)?

    /// Whether an existing account would be replaced.
    public var replacesAccount: Bool { plan.replacesAccount }
    /// Entries that would not be imported, and why.
    public var archiveErrors: [ArchiveError] { plan.archiveErrors }
    /// The number of bytes needed.
    public var spaceNeeded: Int64 { plan.spaceNeeded }
    /// The number of bytes available.
    public var freeSpace: Int64 { plan.freeSpace }

    public func encode(to encoder: any Encoder) throws {
        try plan.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(schema?.state, forKey: .schema)
        try container.encodeIfPresent(schema?.databases, forKey: .schemas)
        try container.encodeIfPresent(
            refusal.map { Remark($0.message, remedy: $0.remedy) }, forKey: .refusal)
    }

    private enum Key: String, CodingKey { case schema, schemas, refusal }
}

/// What the user should know about an imported account.
package enum ImportNote: OperationNote {
    /// The archive is older than the account that it replaced, or of another one.
    case older(String)
    /// Only a program as new as the one that made the account opens it.
    case madeByNewerProgram

    package var text: String {
        switch self {
        case .older(let text): text
        case .madeByNewerProgram:
            "the account was created by a newer program; only that version or a later one can open it"
        }
    }

    static func tell(_ report: ImportReport, _ context: OperationContext) {
        if let warning = report.age?.warning(isDone: true) { context.note(ImportNote.older(warning)) }
        if report.outlook == .newerThanKnown { context.note(ImportNote.madeByNewerProgram) }
    }
}
