import ArgumentParser
import Valise

/// How many archives of one template are kept.
struct ArchiveRetentionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "After the export, remove earlier archives with matching names. This many are left, including the "
                + "new one; at least 2 without a passphrase.",
            valueName: "n"))
    var keepLast: Int?

    @OptionGroup var consent: ConsentOptions

    /// Checks the name of an archive.
    /// - Throws: `ValidationError` for a name that is no template, or none that tells archives apart.
    func check(_ archive: String) throws {
        let template: NameTemplate
        do {
            template = try TemplatedPath.template(FilePath(archive))
        } catch {
            throw ValidationError(error.message)
        }
        guard let keepLast else { return }
        guard keepLast > 0 else { throw ValidationError("--keep-last must be at least 1") }
        guard template.has(.date) || template.has(.time) else {
            throw ValidationError("--keep-last requires {date} or {time} in the archive's name")
        }
    }

    /// Nil where all archives are kept.
    ///
    /// - Parameter format: of the new archive.
    func operation(_ archive: TemplatedPath, _ format: ExportFormat) -> RetainArchives? {
        keepLast.map { RetainArchives(newest: archive, count: $0, format: format) }
    }
}

/// The archives that an export makes superfluous.
struct SurplusArchives {
    private let operation: RetainArchives
    private let found: [FilePath]

    init(_ operation: RetainArchives, _ output: OutputOptions) throws {
        self.operation = operation
        found = try output.plan(operation).removed
    }

    /// Those that an export would remove.
    func paths(_ plan: ExportPlan) -> [String] {
        operation.removable(found, isNewestChecked: plan.checksDatabases).map(\.string)
    }

    /// Shows the list, and asks.
    /// - Throws: ``CommandError``: `invalid` if nobody can be asked, `failed` if the answer is no.
    func requireConsent(_ consent: Consent) throws {
        // A run without a terminal fails at once, and not in the first night in which something is to remove.
        guard consent.canAsk || consent.isGiven else {
            let names = found.map(\.string).joined(separator: ", ")
            let list = found.isEmpty ? "" : ". It would remove \(names)"
            throw CommandError(
                .invalid, "--keep-last requires confirmation\(list). Nothing was changed.",
                hints: [Hint("confirm", options: "--yes")])
        }
        guard !found.isEmpty else { return }
        let list = found.map { "  \($0.string.withoutControls)" }.joined(separator: "\n")
        try consent.require(
            "After the export, these archives will be removed:\n\(list)\nContinue?", operation: "--keep-last")
    }

    /// What became of them.
    struct Removal {
        var removed: [String] = []
        var isComplete = true
    }

    /// Removes those that were listed, after a complete export.
    /// - Throws: `Interruption`.
    func remove(after report: ExportReport, _ output: OutputOptions) throws -> Removal {
        guard !found.isEmpty else { return Removal() }
        guard report.archiveErrors.isEmpty else {
            output.warn("the new archive is incomplete or damaged. Earlier archives were kept.")
            return Removal()
        }
        if operation.keepsOneMore(report.areDatabasesChecked) {
            output.note("the databases were not checked for damage, so one earlier archive was kept")
        }
        var operation = operation
        operation.agreed = operation.removable(found, isNewestChecked: report.areDatabasesChecked)
        do {
            let retained = try output.run(operation)
            for failure in retained.failures {
                output.warn("\(failure.entry) was not removed: \(failure.reason.sentence)")
            }
            return Removal(removed: retained.removed, isComplete: retained.failures.isEmpty)
        } catch let failure as any Failure where !(failure is Interruption) {
            // The archive is written, whatever else fails.
            output.warn(failure.text)
            return Removal(isComplete: false)
        }
    }
}
