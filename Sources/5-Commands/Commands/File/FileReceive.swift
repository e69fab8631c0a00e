import ArgumentParser
import SystemPackage
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

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
        let act = try act()
        let network = RelayNetwork(proxy.connection)
        defer { AsynchronousWork.finish { await network.close() } }
        let transfers = FileTransfers(relays: network, states: try TransferStates.folder())
        let file = try JobbedWork.run(act, output) { session in
            try receive(act, transfers, session)
        }
        try output.print(file, type: "fileReceived") {
            "received \(file.path.string.withoutControls) (\(ByteCount.text(file.size)))"
                + (keyOutput.map { "; it is encrypted, its key is in \($0.withoutControls)" } ?? "")
        }
        if keepOnRelays { return }
        // The file is there and said to be; relays may take their time.
        try AsynchronousWork<Void>.run(output) { [self] work in
            await transfers.acknowledge(
                file, try approval.approval(proxy, ask: work.confirm, hint: work.note),
                report: TransferNarration(activity: "acknowledging", work: work).tell)
        }
    }

    private func act() throws -> FileDownloadAct {
        let references = try ReferenceArguments.forLater(links)
        let path = FilePath(target)
        let isFolder = try FileSystem().isDirectory(path)
        return FileDownloadAct(
            references: references, target: JobPath(path), isFolder: isFolder, replaces: force,
            keyOutput: keyOutput.map { JobPath(FilePath($0)) }, largest: maxSize, staysOnRelays: keepOnRelays,
            approvesRelays: approval.approveRelays, proxy: proxy.proxy,
            former: isFolder ? nil : try JobFileMark(path))
    }

    private func receive(
        _ act: FileDownloadAct, _ transfers: FileTransfers, _ session: JobSession
    ) throws -> DownloadedFile {
        try AsynchronousWork<DownloadedFile>.run(output) { [self] work in
            // It is asked for again, whatever an earlier run has received.
            let memory = FileDownloadMemory(session.memory).unfinished
            if session.memory != nil, let bytes = try? memory.bytes { session.remember(bytes) }
            let approval = try approval.approval(
                proxy, ask: work.confirm, hint: work.note,
                approved: { relays in
                    if let bytes = try? memory.approving(relays).bytes { session.remember(bytes) }
                })
            let file = try await act.perform(
                transfers, approval, report: TransferNarration(activity: "receiving", work: work).tell)
            if let bytes = try? memory.with(FileDownloadAct.result(file)).bytes { session.remember(bytes) }
            return file
        }
    }
}
