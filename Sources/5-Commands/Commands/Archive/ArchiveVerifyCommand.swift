import ArgumentParser
import Valise

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
            message speaks of are noted and change nothing: they take space and harm nothing. Without a passphrase the \
            status is 0 where nothing is damaged that can be seen without: with --require-proof it is 12 then.

            With - an archive is read from standard input. What comes through a pipe is kept meanwhile in a file without \
            a name, in TMPDIR or among what this program keeps (XDG_STATE_HOME), and status 15 comes before that is full.

            For a scheduled job: --quiet prints nothing about a good archive that was proved, and --report leaves a file with the \
            date and everything that was found, in the place of the report of the last run.
            """)

    @Argument(help: "The archive, or - for standard input.", completion: .file(extensions: ["zip"]))
    var archive: String

    @Option(help: "Write a report as JSON here, in place of an earlier one.", completion: .file())
    var report: String?

    @Flag(
        help:
            "Fail with status 12 where no passphrase was given for encrypted databases, so that they are not proved."
    )
    var requireProof = false

    @OptionGroup var ratio: ArchiveRatioOption
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        // Before the passphrase: the command that prints it has the same standard input.
        let input = try ArchiveInput.source(archive, passphrase, output)
        let key = try passphrase.given()
        let reportFile = try report.map { try VerificationReportFile(FilePath($0)) }
        let result = try output.withProgress { progress in
            try ArchiveVerification(limits: ZipLimits(ratio: ratio.maxRatio), fileSystem: input.fileSystem)
                .verify(
                    input.path, passphrase: key, progress: progress)
        }
        try reportFile?.write(result)
        let text = ArchiveVerifyText(result)
        try output.print(result, type: VerificationReportFile.type) {
            output.quiet ? text.problems : text.text
        }
        try requireProof(of: result)
        if let status = result.verdict.status { throw ExitStatusError(status: status) }
    }

    /// Damage that was found without a passphrase is worse than what was not proved.
    private func requireProof(of result: ArchiveVerificationReport) throws {
        guard requireProof, result.notProved.contains(where: { $0.reason == .noPassphrase }),
            result.verdict.status == nil || result.verdict.status == .entryErrors
        else { return }
        let databases = result.databases.filter { $0.1.key == .notGiven }.map(\.0.rawValue)
        let failure = CommandError(
            .wrongPassphrase,
            "not proved: no passphrase was given for the encrypted databases (\(databases.joined(separator: ", ")))",
            subject: input)
        CommandLineMain.report(failure)
        throw ExitStatusError(status: .wrongPassphrase)
    }

    private var input: String { archive == FileStreams.dash ? "standard input" : archive }
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
