import ArgumentParser
import Valise

struct ArchiveVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check an archive for damage, without unpacking it.",
        discussion: """
            Checks the structure of the zip, the checksum of every entry, the HMAC of every page of both databases, \
            their tables, indexes and references, and the media and their tags against the messages. Shows the \
            expected result of an import. Writes nothing but the report. Without a passphrase, checks as much as \
            possible and lists what was not verified. On a terminal, you are asked for it; press Return to \
            continue without it. Stored passphrases are not used, because an archive does not say which account it \
            belongs to.

            Exits with 0 if the archive is intact; with 3 if both databases are intact and media are missing or \
            damaged, as in a partial archive; with 12 for a wrong passphrase; with 13 if the zip or a database is \
            damaged; with 14 if the archive was made by a newer program or is not supported. Unreferenced files are \
            listed but do not change the status; they are harmless. Without a passphrase, the status is 0 if no \
            damage was found; with --require-verified, it is then 12.

            With -, the archive is read from standard input. A piped archive is kept in an unnamed temporary file \
            in TMPDIR or in Valise's state folder (XDG_STATE_HOME), and verification stops with status 15 before that \
            disk is full. Archives other than zip (tar, also compressed with gzip, xz or Zstandard, cpio and 7z) are unpacked \
            to such a file first, because they can only be read in order.

            An export of Session is compared with its manifest; if files are missing, differ, or are extra, it exits with 3.

            For scheduled runs, --quiet prints nothing if the archive was fully verified and is intact, and --report \
            writes a file with the date and all findings, replacing the previous report.
            """)

    @Argument(help: "The archive, or - for standard input.", completion: .file())
    var archive: String

    @Option(help: "Write a JSON report to this file, replacing a previous report.", completion: .file())
    var report: String?

    @Flag(
        help: "Fail with status 12 if encrypted databases were not verified because no passphrase was given."
    )
    var requireVerified = false

    @Flag(help: .hidden)
    var requireProof = false

    @OptionGroup var ratio: ArchiveRatioOption
    @OptionGroup var passphrase: PassphraseSourceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        if try verifiedSession() { return }
        if requireProof { output.note("--require-proof is now called --require-verified") }
        var operation = VerifyArchive(
            try ArchiveInput.source(archive, passphrase), passphrase: passphrase.choice)
        operation.limits = ZipLimits(ratio: ratio.maxRatio)
        operation.reportFile = report.map {
            VerifyArchive.ReportFile(
                FilePath($0), by: "valise \(ValiseCommand.configuration.version)")
        }
        let result = try output.run(operation, Answers(passphrase))
        let text = ArchiveVerifyText(report: result)
        try output.print(result, type: "archiveVerification") {
            output.quiet ? text.problems : text.text
        }
        try requireVerified(result)
        if let status = result.verdict.status { throw ExitStatusError(status: status) }
    }

    /// Damage that was found without a passphrase takes precedence.
    private func requireVerified(_ result: ArchiveVerificationReport) throws {
        let databases = result.databasesWithoutPassphrase
        guard requireVerified || requireProof, !databases.isEmpty,
            result.verdict.status == nil || result.verdict.status == .entryErrors
        else { return }
        CommandLineMain.report(
            CommandError(
                .wrongPassphrase,
                "not verified: no passphrase given for the encrypted databases "
                    + "(\(databases.joined(separator: ", ")))",
                subject: archive == FileStreams.dash ? ArchiveInput.standardInput : archive))
        throw ExitStatusError(status: .wrongPassphrase)
    }
}

extension ArchiveVerificationReport.Verdict {
    /// Nil for success.
    fileprivate var status: ExitStatus? {
        switch self {
        case .intact, .unverified: nil
        case .entryProblems: .entryErrors
        case .wrongPassphrase: .wrongPassphrase
        case .damaged: .damaged
        case .newer, .unsupported: .unsupported
        }
    }
}
