import ArgumentParser
public import Valise
import ValiseEncoding
import ValiseTerminal

struct FileSend: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send files over relays and print their links.",
        discussion: """
            Each file is encrypted on this machine with its own key, which is only in the links. Relays see chunks of \
            standard sizes. No encrypted copy is written to disk. The links are printed to standard output, one for \
            each recipient. Anyone with a link can receive the file, with Valise or an official app.

            Descriptions are written to a new folder NAME.xftp: rcv1.xftp, rcv2.xftp and so on for recipients, and \
            snd.xftp.private, which 'valise file delete NAME.xftp' needs to delete the file from its relays. A very \
            large file has several links per recipient; they are printed one after another.

            To resume an interrupted upload, send the same file again: chunks that relays already have are not sent \
            twice. --list shows interrupted uploads, and --discard deletes one from the relays.
            """)

    @Argument(help: "The files to send.", completion: .file())
    var files: [String] = []

    @OptionGroup var interrupted: InterruptedUploadOptions
    @OptionGroup var choice: RelayChoiceOptions

    @Option(help: "The number of recipients. Each gets a separate link.")
    var recipients = 1

    @Option(help: ArgumentHelp("JSON data for apps, carried in the links.", valueName: "json"))
    var data: String?

    @Option(help: ArgumentHelp("Send the file under this name instead of its own.", valueName: "name"))
    var name: String?

    @Option(
        help: """
            Shorten the link by sending the description as a file too: whenLong (if the link does not fit in a QR \
            code of the app), always, never.
            """)
    var redirect: RedirectChoice = .whenLong

    @Option(
        help: ArgumentHelp("Folder for the descriptions; created if missing.", valueName: "folder"),
        completion: .directory)
    var descriptions = "."

    @Flag(help: "Print links to the relay's web page instead of app links.")
    var web = false

    @Flag(
        help: """
            Also print the links as QR codes on standard error. Codes that do not fit the terminal are written to images.
            """)
    var qr = false

    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var serving: ServeOptions
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard files.isEmpty == interrupted.isAsked else {
            throw ValidationError(
                interrupted.isAsked ? "--list and --discard take no files" : "No files to send")
        }
        guard (1...10_000).contains(recipients) else {
            throw ValidationError("--recipients must be from 1 to 10000")
        }
        guard name == nil || files.count == 1 else { throw ValidationError("--name needs exactly one file") }
        guard name != "" else { throw ValidationError("--name must not be empty") }
        guard !serving.isAsked || !choice.isGiven else {
            throw ValidationError(
                "Use either --serve, or relays with --server or --server-file, but not both")
        }
        if serving.needsProxy, proxy.proxy == nil {
            throw ValidationError(
                "The sender also reaches an onion host through Tor: add --proxy, such as 127.0.0.1:9050"
            )
        }
        if let data { try Self.checkData(data) }
    }

    private static func checkData(_ data: String) throws {
        guard JSONText.isValid(data) else { throw ValidationError("--data is not valid JSON") }
    }

    func run() throws {
        if interrupted.isAsked { return try interrupted.run(proxy, dryRun, output) }
        if dryRun.isAsked { return try showPlan() }
        let links = LinkOutput(web: web, qr: qr, isServed: serving.isAsked, output: output)
        let sent = SentSoFar()
        do {
            try send(links, sent)
        } catch let failure as any Failure where sent.isAll {
            // Only serving comes after that.
            throw ReportedFailure(failure: failure)
        } catch let failure as any Failure where output.json && !sent.files.isEmpty {
            // The links of those before it are nowhere else.
            try SentFilesJSON(files: sent.files, error: FailureJSON(failure)).print()
            throw ReportedFailure(failure: failure)
        }
    }

    private func send(_ links: LinkOutput, _ sent: SentSoFar) throws {
        let operation = operation
        _ = try output.perform { [output] (context, work: AsynchronousWork<SentFiles>) in
            var operation = operation
            operation.sent = { file in
                try await work.atTerminal { try links.show(file.file, FilePath(file.descriptions)) }
                sent.add(file)
            }
            operation.allSent = { all in
                work.hideProgress()
                if output.json {
                    try await work.atTerminal { try SentFilesJSON(files: all.files, error: nil).print() }
                }
                sent.end()
            }
            return try await operation.run(in: context)
        }
    }

    private func showPlan() throws {
        let plan = try output.plan(operation)
        let relays = plan.relays.joined(separator: ", ")
        try output.show(
            "fileSend",
            would: plan.files.map {
                let file = "\($0.path) (\(Count.bytes($0.size)))"
                return serving.isAsked ? "serve \(file) from this machine" : "send \(file) over \(relays)"
            }, files: plan)
    }

    private var operation: SendFiles {
        var operation = SendFiles(files.map { FilePath($0) }, over: choice.choice)
        operation.servedAt = serving.serve
        operation.proxy = proxy.proxy
        operation.recipients = recipients
        operation.name = name
        operation.data = data
        operation.redirect = redirect
        operation.descriptions = FilePath(descriptions)
        operation.makesWebLinks = web
        return operation
    }
}

extension RedirectChoice: ExpressibleByArgument {}

/// All that one command has sent.
private struct SentFilesJSON: Encodable {
    let type = "filesSent"
    let files: [SentFile]
    /// Why those after them were not sent.
    let error: FailureJSON?

    func print() throws { try StandardStreams.printLine(JSONText.encode(self)) }
}
