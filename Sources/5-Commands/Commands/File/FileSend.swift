public import ArgumentParser
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
public import ValiseTransfers
import ValiseXFTPWire

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
        let served = try serving.relay(
            quota: ServedRelay.quota(files.map { FilePath($0) }, recipients: recipients), output)
        defer { served?.stop() }
        let relays = try served.map { [$0.access] } ?? choice.relays()
        _ = try TransferStates.folder()
        let sent = try send(relays)
        do {
            try served?.serve(sent.map(\.file), output)
        } catch let failure as any Failure {
            throw ReportedFailure(failure: failure)
        }
    }

    private func send(_ relays: [RelayAccess]) throws -> [SentFile] {
        var sent: [SentFile] = []
        do {
            // What this process serves nobody can go on with.
            try JobbedWork.run(files.map(act), isJob: !serving.isAsked, output) { act, session in
                sent.append(try send(act, relays, session))
            }
        } catch let failure as any Failure where output.json && !sent.isEmpty {
            // The links of those before it are nowhere else.
            try show(sent, failure)
            throw ReportedFailure(failure: failure)
        }
        if output.json { try show(sent) }
        return sent
    }

    private func show(_ sent: [SentFile], _ failure: (any Failure)? = nil) throws {
        try StandardStreams.printLine(
            JSONText.encode(SentFiles(files: sent, error: failure.map { FailureJSON($0) })))
    }

    private func act(_ file: String) throws -> FileUploadAct {
        try Self.checkText(file)
        return FileUploadAct(
            source: JobPath(FilePath(file)), servers: choice.server,
            serverFile: choice.serverFile.map { JobPath(FilePath($0)) }, proxy: proxy.proxy,
            recipients: recipients, name: name, data: data, redirect: redirect,
            descriptions: JobPath(FilePath(descriptions)), web: web)
    }

    private func send(
        _ act: FileUploadAct, _ relays: [RelayAccess], _ session: JobSession
    ) throws -> SentFile {
        // It is asked for again, whatever an earlier run has sent.
        if session.memory != nil { session.remember([]) }
        let sent = try AsynchronousWork<SentFile>.run(output) { work in
            let narration = TransferNarration(activity: "sending \(act.source.path)", work: work)
            return try await act.perform(relays, report: narration.tell) { sent in
                if let bytes = try? FileUploadAct.memory(of: sent) { session.remember(bytes) }
            }
        }
        try LinkOutput(web: web, qr: qr, isServed: serving.isAsked, output: output)
            .show(sent.file, FilePath(sent.descriptions))
        return sent
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
