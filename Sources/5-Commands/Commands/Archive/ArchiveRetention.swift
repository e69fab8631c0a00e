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
        guard !TemplatedPath.hasPlaceholders(in: FilePath(archive).removingLastComponent()) else {
            throw ValidationError("--keep-last requires a folder without placeholders")
        }
    }

    /// Nil where all archives are kept.
    ///
    /// - Parameter format: of the new archive.
    func operation(_ archive: TemplatedPath, _ format: ExportFormat) -> RetainArchives? {
        keepLast.map { RetainArchives(newest: archive, count: $0, format: format) }
    }
}
