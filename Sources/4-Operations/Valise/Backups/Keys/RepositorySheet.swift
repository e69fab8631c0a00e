package import SystemPackage
import ValiseFiles
package import ValiseKeys
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// A recovery sheet with the password of a repository.
package struct RepositorySheet: Sendable {
    /// The file to write, which is as secret as the password.
    package var file: FilePath
    package var format: RecoverySheet.Format
    /// The day, as the sheet shows it.
    package var date: String
    /// How the program that makes the sheet takes the password, one paragraph each.
    package var usage: [String]
    /// Whether a file of this name is replaced, if it has the same format.
    package var replaces = false

    package init(to file: FilePath, as format: RecoverySheet.Format, date: String, usage: [String] = []) {
        self.file = file
        self.format = format
        self.date = date
        self.usage = usage
    }

    private var target: SecretFile {
        SecretFile(file, replaces: replaces, .drawing(format == .pdf ? .pdf : .svg))
    }

    /// Before the repository is made.
    /// - Throws: as ``SecretFile/check()``.
    func check() throws { try target.check() }

    /// - Throws: `RecoverySheetError`; `SecretsError`; `FileError`; ``OperationError``.
    func draw(_ password: SharedSecret, of repository: Repository, at place: RepositoryPlace) throws
        -> RepositorySheetReport
    {
        let details = RecoverySheet.Details(
            repository: place.absoluteText, id: repository.config.id.text, date: date, usage: usage)
        var outcome: RecoverySheet.Outcome?
        try target.write(RecoverySheet.draw(password.bytes, details, as: format) { outcome = $0 })
        return RepositorySheetReport(
            file: file.string, format: format.rawValue, hasCode: outcome?.hasCode ?? false,
            pages: outcome?.pages ?? 0)
    }
}

/// A sheet that was drawn.
package struct RepositorySheetReport: Encodable, Sendable {
    package let file: String
    package let format: String
    /// Whether there is a QR code; a password that is too long for one has only the text.
    package let hasCode: Bool
    /// The number of pages.
    package let pages: Int
}
