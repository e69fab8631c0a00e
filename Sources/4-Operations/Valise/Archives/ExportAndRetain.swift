import SystemPackage
public import ValiseAccountArchives
public import ValiseAccounts
public import ValiseConcurrency
package import ValiseFailures

/// Exports an account, then removes earlier archives whose names have the template of the new one's.
///
/// They are listed first, and the user is asked. After an export with errors, all of them stay.
public struct ExportAndRetain: Operation {
    package var export: ExportArchive
    /// What is removed; nil to keep all archives.
    package var retention: RetainArchives?
    /// What is exported in place of an account in a folder; nil for that one.
    package var snapshot: SnapshotName?

    /// - Parameters:
    ///   - account: the account to export.
    ///   - destination: where the archive goes: to a file, where anything is removed.
    ///   - options: what is exported, and how.
    ///   - passphrase: verified first, if given.
    ///   - retention: what is removed; its newest archive is the one that is exported. Nil to keep all archives.
    public init(
        of account: AccountLocation, to destination: ExportArchive.Destination,
        options: ArchiveExport.Options = ArchiveExport.Options(),
        passphrase: PassphraseSource = PassphraseSource(), retention: RetainArchives? = nil
    ) {
        export = ExportArchive(of: account, to: destination, options: options, passphrase: passphrase)
        self.retention = retention
        // Of the archive that is written, whatever its name asks for.
        self.retention?.format = options.format
    }

    /// What would be exported and removed.
    public struct Plan: Encodable, Sendable {
        /// What would be exported.
        public let export: ExportPlan
        /// The paths of the archives that would be removed then, the oldest first; nil where all are kept.
        public let removed: [String]?

        public func encode(to encoder: any Encoder) throws {
            try WithRemoved(value: export, removed: removed).encode(to: encoder)
        }
    }

    public func plan(in context: OperationContext) async throws -> Plan {
        let found = try await retention?.plan(in: context).removed
        let plan = try await exportPlan(context)
        guard let retention, let found else { return Plan(export: plan, removed: nil) }
        let removed = retention.removable(found, isNewestChecked: plan.checksDatabases)
        return Plan(export: plan, removed: removed.map(\.string))
    }

    /// - Throws: as ``ExportArchive``; ``OperationError`` where the answer is no, or nobody can be asked.
    public func run(in context: OperationContext) async throws -> RetainedExport {
        guard let retention else { return RetainedExport(export: try await exported(context)) }
        let found = try await retention.plan(in: context).removed
        try await context.questions.require(
            .removeArchives(found),
            unasked: OperationError(
                .invalid, "removing earlier archives requires confirmation. Nothing was changed.",
                subject: retention.newest.path.string, need: .agreement))
        var report = RetainedExport(export: try await exported(context), removed: [])
        try await retention.remove(found, noting: &report, context)
        return report
    }

    private func exportPlan(_ context: OperationContext) async throws -> ExportPlan {
        guard let snapshot else { return try await export.plan(in: context) }
        let restoring = try await SnapshotExport(snapshot, in: context)
        defer { restoring.close() }
        return try await context.blocking { _ in try restoring.plan(export) }
    }

    private func exported(_ context: OperationContext) async throws -> ExportReport {
        guard let snapshot else { return try await export.run(in: context) }
        let restoring = try await SnapshotExport(snapshot, in: context)
        defer { restoring.close() }
        return try await restoring.withRestored(export, in: context) { try await $0.run(in: $1) }
    }
}

extension RetainArchives {
    /// Removes archives that were listed, after a complete export.
    /// - Throws: `Interruption`. Whatever else fails is noted: the archive is written.
    fileprivate func remove(
        _ found: [FilePath], noting report: inout RetainedExport, _ context: OperationContext
    ) async throws {
        guard !found.isEmpty else { return }
        guard report.export.archiveErrors.isEmpty else { return context.note(RetentionNote.newestIncomplete) }
        let isChecked = report.export.areDatabasesChecked
        if keepsOneMore(isChecked) { context.note(RetentionNote.oneMoreKept) }
        var operation = self
        operation.agreed = removable(found, isNewestChecked: isChecked)
        do {
            let retained = try await operation.run(in: context)
            report.removed = retained.removed
            report.notRemoved = retained.failures
            for failure in retained.failures { context.note(RetentionNote.notRemoved(failure)) }
        } catch let failure as any Failure where !(failure is Interruption) {
            report.isRetentionComplete = false
            context.note(RetentionNote.failed(failure))
        }
    }
}

/// An archive that was written, and the earlier ones that were removed then.
public struct RetainedExport: OperationReport {
    /// What was exported.
    public let export: ExportReport
    /// The paths of the archives that were removed, the oldest first; nil where all are kept.
    public fileprivate(set) var removed: [String]?
    /// Those that could not be removed.
    fileprivate(set) var notRemoved: [EntryFailure] = []
    /// False where the removal failed before single archives were looked at.
    fileprivate(set) var isRetentionComplete = true

    fileprivate init(export: ExportReport, removed: [String]? = nil) {
        self.export = export
        self.removed = removed
    }

    public var hasEntryErrors: Bool { !entryFailures.isEmpty || !isRetentionComplete }
    public var entryFailures: [EntryFailure] { export.entryFailures + notRemoved }

    public func encode(to encoder: any Encoder) throws {
        try WithRemoved(value: export, removed: removed).encode(to: encoder)
    }
}

/// A JSON document with the files that were removed besides.
private struct WithRemoved<Value: Encodable>: Encodable {
    let value: Value
    /// Nil where nothing was to remove.
    let removed: [String]?

    private enum CodingKeys: CodingKey { case removed }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(removed, forKey: .removed)
    }
}

/// What is told of the earlier archives after an export.
package enum RetentionNote: OperationNote {
    /// The new archive has errors: none was removed.
    case newestIncomplete
    /// One more than asked for was kept: the new one may be damaged.
    case oneMoreKept
    /// One could not be removed.
    case notRemoved(EntryFailure)
    /// None was removed.
    case failed(any Failure)

    package var text: String {
        switch self {
        case .newestIncomplete: "the new archive is incomplete or damaged. Earlier archives were kept."
        case .oneMoreKept: "the databases were not checked for damage, so one earlier archive was kept"
        case .notRemoved(let failure): "\(failure.entry) was not removed: \(failure.reason.sentence)"
        case .failed(let failure): failure.description
        }
    }

    /// Whether it is not as it was asked for.
    package var isWarning: Bool { if case .oneMoreKept = self { false } else { true } }
}
