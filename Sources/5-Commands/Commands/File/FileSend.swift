public import ArgumentParser
import Synchronization
public import Valise
import ValiseEncoding

struct FileSend: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send files over relays; whoever has the link can receive them.",
        discussion: """
            Each file is encrypted on this machine under a key of its own, which is in the links and nowhere else: \
            relays see chunks of usual sizes. No encrypted copy is written. The links go to standard output, one for \
            each recipient; the official programs receive them too.

            Descriptions are written into a new folder NAME.xftp: rcv1.xftp and so on for recipients, and \
            snd.xftp.private, with which 'valise file delete NAME.xftp' removes the file from its relays. The links of a \
            recipient follow each other where a file is so large that it has several.

            What was interrupted goes on when the same is sent again: chunks that relays have are not sent twice. \
            --list tells what was interrupted, and --discard removes it from the relays.
            """)

    @Argument(help: "The files.", completion: .file())
    var files: [String] = []

    @OptionGroup var interrupted: InterruptedUploadOptions
    @OptionGroup var choice: RelayChoiceOptions

    @Option(help: "How many may receive each file, by a link of their own.")
    var recipients = 1

    @Option(help: ArgumentHelp("JSON that the links carry for apps.", valueName: "json"))
    var data: String?

    @Option(help: ArgumentHelp("The name that travels with the file, instead of its own.", valueName: "name"))
    var name: String?

    @Option(
        help: """
            Send the description as a file too, so that the link is short: whenLong (fits no code of the app \
            otherwise), always, never.
            """)
    var redirect: RedirectChoice = .whenLong

    @Option(
        help: ArgumentHelp("Where the folders with descriptions are made.", valueName: "folder"),
        completion: .directory)
    var descriptions = "."

    @Flag(help: "Print links for the relay's web page instead of those for the app.")
    var web = false

    @Flag(help: "Show the links as QR codes too, on standard error.")
    var qr = false

    @OptionGroup var serving: ServeOptions
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard files.isEmpty == interrupted.isAsked else {
            throw ValidationError(
                interrupted.isAsked ? "--list and --discard take no files." : "Give the files to send.")
        }
        guard (1...10_000).contains(recipients) else {
            throw ValidationError("--recipients is from 1 to 10000.")
        }
        guard name == nil || files.count == 1 else { throw ValidationError("--name is for one file.") }
        guard name != "" else { throw ValidationError("--name is empty; leave it out for the file's own.") }
        guard !serving.isAsked || !choice.isGiven else {
            throw ValidationError("--serve sends to a relay of this program; it goes without --server.")
        }
        if serving.needsProxy, proxy.proxy == nil {
            throw ValidationError(
                "An onion host is reached through Tor, by the sender too; add --proxy, such as 127.0.0.1:9050."
            )
        }
        if let data { try Self.checkData(data) }
    }

    private static func checkData(_ data: String) throws {
        guard JSONText.isValid(data) else { throw ValidationError("--data is no JSON.") }
    }

    func run() throws {
        if interrupted.isAsked { return try interrupted.run(proxy, output) }
        let relay = try serving.serve.map { address in
            try output.perform { [files = files.map { FilePath($0) }, recipients] context, _ in
                try await ServedRelay.start(address, for: files, recipients: recipients, in: context)
            }
        }
        defer { relay.map { relay in AsynchronousWork.finish { await relay.stop() } } }
        let sent = try send(operation(relay))
        guard let relay else { return }
        do {
            try output.perform { context, _ in try await relay.serve(sent, in: context) }
        } catch let failure as any Failure {
            throw ReportedFailure(failure: failure)
        }
    }

    private func operation(_ relay: ServedRelay?) throws -> SendFiles {
        try files.forEach(Self.checkText)
        var operation = SendFiles(files.map { FilePath($0) }, over: choice.choice)
        operation.servedBy = relay
        operation.proxy = proxy.proxy
        operation.recipients = recipients
        operation.name = name
        operation.data = data
        operation.redirect = redirect
        operation.descriptions = FilePath(descriptions)
        operation.makesWebLinks = web
        return operation
    }

    private func send(_ operation: SendFiles) throws -> [SentFile] {
        let links = LinkOutput(web: web, qr: qr, isServed: serving.isAsked, output: output)
        let sent = SentSoFar()
        do {
            _ = try output.perform { (context, work: AsynchronousWork<SentFiles>) in
                var operation = operation
                operation.sent = { file in
                    try await work.atTerminal { try links.show(file.file, FilePath(file.descriptions)) }
                    sent.add(file)
                }
                return try await operation.run(in: context)
            }
        } catch let failure as any Failure where output.json && !sent.files.isEmpty {
            // The links of those before it are nowhere else.
            try show(sent.files, failure)
            throw ReportedFailure(failure: failure)
        }
        if output.json { try show(sent.files) }
        return sent.files
    }

    private func show(_ sent: [SentFile], _ failure: (any Failure)? = nil) throws {
        try StandardStreams.printLine(
            JSONText.encode(SentFilesJSON(files: sent, error: failure.map { FailureJSON($0) })))
    }

    /// A name that is no UTF-8 arrives here with other characters.
    private static func checkText(_ file: String) throws {
        guard file.contains("\u{fffd}"), try !FileSystem().exists(FilePath(file)) else { return }
        throw CommandError(
            .invalid,
            "this name is no UTF-8, and cannot be sent; give the file another name, or a link with another name",
            subject: file)
    }
}

extension RedirectChoice: ExpressibleByArgument {}

/// What was sent before something failed.
private final class SentSoFar: Sendable {
    private let sent = Mutex<[SentFile]>([])

    var files: [SentFile] { sent.withLock { $0 } }

    func add(_ file: SentFile) { sent.withLock { $0.append(file) } }
}

/// All that one command has sent.
private struct SentFilesJSON: Encodable {
    let type = "filesSent"
    let files: [SentFile]
    /// Why those after them were not sent.
    let error: FailureJSON?
}
