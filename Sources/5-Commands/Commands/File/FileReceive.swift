import ArgumentParser
import Valise

struct FileReceive: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Receive a file by its link or description.",
        discussion: """
            The file appears only when the whole was received, and its digest and its tag are right. What was \
            interrupted goes on when the same is received to the same place again.

            Whoever has the link can receive the file, and other users of this machine can see arguments: with - the \
            link is read from standard input.

            Relays that are not in your list (~/.config/valise/relays) learn your network address; they are asked \
            about before. A proxy or --approve-relays makes the question needless.

            What an interrupted run had received is in a hidden folder beside the file, .valise-receive-ID; the next \
            run that receives into the same folder removes such of other files after a week.
            """)

    @Argument(
        help: "A link, a .xftp file, or - for standard input; of a divided file all of them.",
        completion: .file())
    var links: [String]

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("A folder, or the name of the new file.", valueName: "path"), completion: .file())
    var target = "."

    @Flag(help: "Replace a file of the name that --output gives, if it is of the kind of what is received.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Leave the file encrypted as media are encrypted at rest, and write its key into this new file.",
            valueName: "file"), completion: .file())
    var keyOutput: String?

    @Option(help: ArgumentHelp("The largest file to receive, in bytes.", valueName: "bytes"))
    var maxSize: Int64?

    @Flag(
        help: "Leave the file on its relays for a second time, instead of telling them that it was received.")
    var keepOnRelays = false

    @OptionGroup var approval: RelayApprovalOptions
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = ReceiveFile(try ReferenceArguments.texts(links), to: FilePath(target))
        operation.replaces = force
        operation.keyOutput = keyOutput.map { FilePath($0) }
        operation.largest = maxSize
        operation.staysOnRelays = keepOnRelays
        operation.approvesRelays = approval.approveRelays
        operation.proxy = proxy.proxy
        var answers = Answers()
        answers.asksAboutRelays = !approval.noInput
        _ = try output.perform(answers) { [self, operation] (context, work: AsynchronousWork<ReceivedFile>) in
            var operation = operation
            operation.received = { file in try await work.atTerminal { try show(file) } }
            return try await operation.run(in: context)
        }
    }

    private func show(_ received: ReceivedFile) throws {
        try output.print(received) {
            "received \(received.file.path.string.withoutControls) (\(ByteCount.text(received.file.size)))"
                + (keyOutput.map { "; it is encrypted, its key is in \($0.withoutControls)" } ?? "")
        }
    }
}
