import ArgumentParser
import Valise

struct MediaPlan: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Tell how files would travel, and send nothing.",
        discussion: """
            For each file: what it is, whether it would travel inside of the message, by XFTP, or be refused, \
            whether the recipient's app would receive it without asking, and the chunks that it would take on \
            relays. What a file is, its first bytes tell, or else its name; an MP4 with nothing but sound is \
            a voice message. A file that is not there does not stop the others; the exit status is 3 then.
            """)

    @Argument(help: "The files.")
    var files: [String]

    @Option(
        help: ArgumentHelp("Send them as image, video, voice or file, whatever they are.", valueName: "kind"))
    var type: MediaKind?

    @Option(
        name: .customLong("protocol"),
        help: "By xftp, by smp (the older way, inside of messages), or local (into the private notes).")
    var transport: TransferProtocol = .xftp

    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = PlanTransfers(of: files.map { FilePath($0) })
        operation.kind = type
        operation.transport = transport
        let planned = try output.run(operation)
        if !output.json { planned.failures.forEach(CommandLineMain.report) }
        try output.print(Result(files: planned.files, failures: planned.failures.map { FailureJSON($0) })) {
            planned.files.map(\.text).joined(separator: "\n")
        }
        if !planned.failures.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private struct Result: Encodable {
        let type = "mediaPlan"
        let files: [PlannedTransfer]
        let failures: [FailureJSON]
    }
}

extension PlannedTransfer {
    /// Some lines, the first at the margin.
    fileprivate var text: String {
        var what = [plan.kind.rawValue, "\(file.size) bytes"]
        if let format = file.format { what.insert(format.rawValue, at: 1) }
        if let duration = file.duration { what.append(Seconds.text(duration)) }
        var lines = [
            "\(path.string.withoutControls): \(what.joined(separator: ", "))",
            "  \(way): \(plan.reason.sentence)",
        ]
        if let chunks = plan.chunks {
            lines.append("  chunks: \(chunks), \(chunks.encryptedSize) bytes encrypted")
        }
        if let note { lines.append("  note: \(note)") }
        return lines.joined(separator: "\n")
    }

    private var way: String {
        let name = plan.route == .xftp ? "XFTP" : plan.route.rawValue
        return switch plan.isReceivedUnasked {
        case true?: "\(name), received unasked"
        case false?: "\(name), the recipient is asked"
        case nil: name
        }
    }
}
