import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct FileReceive: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Receive a file by its link or description.",
        discussion: """
            The file appears only after it has been received completely, and its digest and tag have been verified. \
            To resume an interrupted download, receive the same file to the same place again.

            Anyone with the link can receive the file, and other users of this machine can see arguments. Use - to \
            read the link from standard input.

            Relays that are not in your list (~/.config/valise/relays) learn your network address. You are asked \
            before they are contacted, unless you use a proxy or --approve-relays. --yes does not approve them.

            Data of an interrupted download is kept in a hidden folder beside the file, .valise-receive-ID. The next \
            download into the same folder removes such data of other files after a week.
            """)

    @Argument(
        help: "A link, a .xftp file, or - for standard input. For a split file, all of its links.",
        completion: .file())
    var links: [String]

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("A folder, or a name for the new file.", valueName: "path"), completion: .file())
    var target = "."

    @Flag(help: "Replace the file that --output names if it is of the same kind as the received one.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Keep the file encrypted, as media are at rest, and write its key to this new file.",
            valueName: "file"), completion: .file())
    var keyOutput: String?

    @Option(help: ArgumentHelp("Maximum file size, such as 2GB.", valueName: "size"))
    var maxSize: SizeArgument?

    @Flag(help: "Leave the file on its relays to receive it again; do not confirm that it was received.")
    var keepOnRelays = false

    @Flag(help: "Use all relays that a link or description names, without asking.")
    var approveRelays = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ReceiveFile(try ReferenceArguments.texts(links), to: FilePath(target))
        operation.replaces = force
        operation.keyOutput = keyOutput.map { FilePath($0) }
        operation.largest = maxSize?.bytes
        operation.staysOnRelays = keepOnRelays
        operation.approvesRelays = approveRelays
        operation.proxy = proxy.proxy
        if dryRun.isAsked { return try showPlan(operation) }
        let answers = Answers(asksAboutRelays: !input.noInput)
        _ = try output.perform(answers) { [self, operation] (context, work: AsynchronousWork<ReceivedFile>) in
            var operation = operation
            operation.received = { file in try await work.atTerminal { try show(file) } }
            return try await operation.run(in: context)
        }
    }

    private func showPlan(_ operation: ReceiveFile) throws {
        let plan = try output.plan(operation)
        let change = "receive the file \(plan.isFolder ? "into" : "as") \(target)"
        try output.show("fileReceive", would: [change], files: plan)
    }

    private func show(_ received: ReceivedFile) throws {
        try output.print(received) {
            "received \(received.file.path.string.withoutControls) (\(Count.bytes(received.file.size)))"
                + (keyOutput.map { "; encrypted, the key is in \($0.withoutControls)" } ?? "")
        }
    }
}
