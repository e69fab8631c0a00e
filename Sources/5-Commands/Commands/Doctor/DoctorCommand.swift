import ArgumentParser
import Valise

struct DoctorCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this installation and your folders for problems.",
        discussion: """
            Checks libraries, memory for secrets, key stores, free space, the clock, permissions, jobs and leftover \
            files, and with a folder the files of an account. Changes nothing and needs no passphrase. Relays are \
            reached only with --relays or --server. Exits with 1 if there is a problem; notes do not count.

            With --report, the findings are also written to a file for a bug ticket: paths, relays and titles are \
            replaced by numbers or left out, and errors by their kind. Read it before you send it.
            """)

    @Argument(
        help: ArgumentHelp("An account folder to check too.", valueName: "dir"), completion: .directory)
    var directory: String?

    @Option(help: "Prefix of the database names, if the folder holds several accounts.")
    var prefix: String?

    @Flag(help: "Connect to the relays in your list, which then see your network address.")
    var relays = false

    @Option(
        help: ArgumentHelp(
            "Connect to this relay instead, xftp://FINGERPRINT@HOST[:PORT]. Repeat for several.",
            valueName: "address"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp("Write a report without names, paths and addresses.", valueName: "file"),
        completion: .file())
    var report: String?

    @Flag(help: "Replace an existing report.")
    var force = false

    @OptionGroup var proxy: ProxyOption
    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try RelayChoiceOptions.refusePasswords(in: server) }

    func run() throws {
        var operation = Diagnose(
            account: try directory.map { try AccountLocation.find(FilePath($0), prefix: prefix) })
        operation.relays = relays || !server.isEmpty ? RelayChoice(server) : nil
        operation.proxy = proxy.proxy
        operation.reportFile = report.map {
            DiagnosisReportFile(
                FilePath($0), by: "valise \(ValiseCommand.configuration.version)",
                home: UserHome.ofUser.home, replacing: force)
        }
        let diagnosis = try output.run(operation)
        try output.print(DiagnosisDocument(diagnosis)) { DiagnosisText.text(diagnosis) }
        if let report { output.note("the report is in \(report). Read it before you send it.") }
        if diagnosis.count(.problem) > 0 { throw ExitStatusError(status: .failed) }
    }
}
