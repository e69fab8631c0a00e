package import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// A report of a diagnosis for those who look after the program, in Markdown, without anything that names somebody.
package struct DiagnosisReportFile: Sendable {
    package var path: FilePath
    /// Which program wrote it, with its version.
    package var program: String
    /// The user's home folder; nil where it is not known.
    package var home: FilePath?
    /// Whether a previous report is replaced.
    package var replacing: Bool

    private static let title = "# Valise diagnosis\n"

    private static let content = ReplaceableContent("a diagnosis report") {
        _, head, _ throws(FileError) in head.starts(with: Array(title.utf8))
    }

    package init(_ path: FilePath, by program: String, home: FilePath?, replacing: Bool = false) {
        self.path = path
        self.program = program
        self.home = home
        self.replacing = replacing
    }

    /// Refuses a place where the report cannot go, before anything else is done.
    /// - Throws: ``OperationError`` with `alreadyExists`; `AccountError` for a path that belongs to an account; `FileError`.
    func check() throws {
        try AccountPaths.refuse(path, for: "the report")
        guard try FileSystem().isDirectory(path.parentFolder) else {
            throw FileError.noFolder(path.parentFolder)
        }
        // Before the advice to replace it, which would be refused.
        try Self.content.check(path)
        if replacing { return }
        guard try !FileSystem().exists(path) else {
            throw OperationError(
                .alreadyExists, "already exists. Nothing was written.", subject: path.string,
                need: .replacing)
        }
    }

    /// Writes it beside its name, and gives it the name when it is complete.
    /// - Throws: as ``check()``.
    func write(_ diagnosis: Diagnosis) throws {
        let file = try PendingFile(path)
        var target = try file.open()
        try target.write(Array(text(diagnosis).utf8))
        try target.synchronize()
        try target.close()
        try file.publish(replacing: replacing, Self.content)
    }

    private func text(_ diagnosis: Diagnosis) -> String {
        var redaction = Redaction(home: home)
        var lines = ["program: \(program)"] + SystemDescription.lines + ["date: \(UTCTime.now.dateText)"]
        lines = lines.map { "- \($0)" } + ["", "## Checks", ""]
        for finding in diagnosis.findings {
            let text = redaction.text(finding.text)
            lines.append("- \(finding.state.rawValue): \(finding.check.rawValue): \(text)".withoutControls)
        }
        lines += ["", "Names, paths, addresses and titles were replaced by numbers or left out."]
        return Self.title + "\n" + lines.joined(separator: "\n") + "\n"
    }
}
