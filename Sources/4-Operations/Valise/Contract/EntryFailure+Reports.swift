import ValiseAccountArchives
import ValiseConcurrency
import ValiseMedia

extension EntryFailure {
    /// An entry of an archive, or a whole step of an import.
    init(_ error: ArchiveError) {
        switch error {
        case .fileError(let file, let reason): self.init(file, reason)
        case .import(let reason): self.init("import", "\(reason)")
        }
    }

    /// A file that was not converted.
    init(_ left: MediaConversionReport.Left) { self.init(left.path, left.message) }

    /// A file that was not copied.
    init(_ problem: MediaExportReport.Problem) { self.init(problem.path, "\(problem.message)") }
}
