import ArgumentParser
import Valise

/// How many archives of one template are kept.
struct ArchiveRetentionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Afterwards, remove earlier archives with matching names, and keep this many with the new one.",
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
        guard keepLast > 0 else { throw ValidationError("--keep-last must be at least 1.") }
        guard template.has(.date) || template.has(.time) else {
            throw ValidationError("--keep-last requires {date} or {time} in the archive's name.")
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

    var paths: [String] { found.map(\.string) }

    func lines(_ verb: String) -> [String] { paths.map { "\(verb): \($0)".withoutControls } }

    /// Shows the list, and asks.
    /// - Throws: ``CommandError``: `invalid` if nobody can be asked, `failed` if the answer is no.
    func requireConsent(_ consent: Consent) throws {
        guard !found.isEmpty else { return }
        let list = paths.map { "  \($0.withoutControls)" }.joined(separator: "\n")
        try consent.require(
            "After the export, these archives will be removed:\n\(list)\nContinue?", operation: "--keep-last",
            otherwise: "Nothing was exported or removed.")
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
            output.warn("the new archive is incomplete, so the earlier ones were kept")
            return Removal()
        }
        var operation = operation
        operation.agreed = found
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

/// A JSON document with the files that were removed besides.
struct WithRemoved<Value: Encodable>: Encodable {
    private let value: Value
    private let removed: [String]?

    /// - Parameter removed: nil where nothing was to remove.
    init(_ value: Value, _ removed: [String]?) { (self.value, self.removed) = (value, removed) }

    private enum CodingKeys: CodingKey { case removed }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(removed, forKey: .removed)
    }
}
