import ArchiveVerification
import Archives
import ArgumentParser
import Secrets
import SystemPackage

struct ArchiveVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Tell whether an archive is good, without importing or unpacking it.",
        discussion: """
            Writes nothing but the report. Checks the structure of the zip, the checksum of every entry, the HMAC \
            of every page of both databases, their tables, indexes and references, the media and their tags \
            against the messages, and tells what an import would lead to. Without a passphrase it goes as far as \
            that goes, and says what is not proved. Nobody is asked for one, and stored ones are not used: an archive \
            does not tell whose it is.

            Ends with status 0 for a good archive; 3 when both databases are good and media are missing or \
            damaged, as in an archive that was made without some of them; 12 for a wrong passphrase; 13 when the \
            zip or a database is damaged; 14 for what is made by a newer program or not supported. Files that no \
            message speaks of are noted and change nothing: they take space and harm nothing.

            For a scheduled job: --quiet prints nothing about a good archive that was proved, and --report leaves a file with the \
            date and everything that was found, in the place of the report of the last run.
            """)

    @Argument(help: "The archive.", completion: .file(extensions: ["zip"]))
    var archive: String

    @Option(help: "Write a report as JSON here, in place of an earlier one.", completion: .file())
    var report: String?

    @OptionGroup var ratio: ArchiveRatioOption
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let key = try passphrase.given()
        let reportFile = try report.map { try VerificationReportFile(FilePath($0), of: FilePath(archive)) }
        let result = try output.withProgress { progress in
            try ArchiveVerification(limits: ZipLimits(ratio: ratio.maxRatio)).verify(
                FilePath(archive), passphrase: key, progress: progress)
        }
        try reportFile?.write(result)
        let text = ArchiveVerifyText(result)
        try output.print(result, type: VerificationReportFile.type) {
            output.quiet ? text.problems : text.text
        }
        if let status = result.verdict.status { throw ExitStatusError(status: status) }
    }
}

extension ArchiveVerificationReport.Verdict {
    /// Nil for success.
    fileprivate var status: ExitStatus? {
        switch self {
        case .good, .unproved: nil
        case .entryProblems: .entryErrors
        case .wrongPassphrase: .wrongPassphrase
        case .damaged: .damaged
        case .newer, .unsupported: .unsupported
        }
    }
}
