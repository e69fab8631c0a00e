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
        var operation = VerifyArchive(input, passphrase: passphrase.choice)
        operation.limits = ZipLimits(ratio: ratio.maxRatio)
        operation.reportFile = report.map {
            VerifyArchive.ReportFile(
                FilePath($0), by: "valise \(ValiseCommand.configuration.version)")
        }
        let result = try output.run(operation)
        let text = ArchiveVerifyText(result)
        try output.print(result, type: "archiveVerification") {
            output.quiet ? text.problems : text.text
        }
        try requireProof(of: result)
        if let status = result.verdict.status { throw ExitStatusError(status: status) }
    }

    /// Damage that was found without a passphrase is worse than what was not proved.
    private func requireProof(of result: ArchiveVerificationReport) throws {
        let databases = result.databasesWithoutPassphrase
        guard requireProof, !databases.isEmpty,
            result.verdict.status == nil || result.verdict.status == .entryErrors
        else { return }
        CommandLineMain.report(
            CommandError(
                .wrongPassphrase,
                "not proved: no passphrase was given for the encrypted databases "
                    + "(\(databases.joined(separator: ", ")))",
                subject: archive == FileStreams.dash ? "standard input" : archive))
        throw ExitStatusError(status: .wrongPassphrase)
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
