import ArgumentParser
import Valise
import ValiseEncoding

struct MediaPlan: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show how files would be sent, without sending them.",
        discussion: """
            Shows for each file: its kind; whether it would be sent inside the message or by XFTP, or be refused; \
            whether the recipient's app would receive it without asking; and its chunks on relays. The kind comes \
            from the first bytes, or else from the name; an MP4 with only sound is a voice message. A missing file \
            does not stop the others; the exit status is then 3.
            """)

    @Argument(help: "The files to check.")
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Send them as image, video, voice or file, whatever their content.", valueName: "kind"))
    var type: MediaKind?

    @Option(
        name: .customLong("protocol"),
        help: "xftp, smp (the older way, inside messages), or local (to the private notes).")
    var transport: TransferProtocol = .xftp

    @OptionGroup var input: InputOptions
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
        var what = [plan.kind.rawValue, Count.bytes(file.size)]
        if let format = file.format { what.insert(format.rawValue, at: 1) }
        if let duration = file.duration { what.append(Seconds.text(duration)) }
        var lines = [
            "\(path.string.withoutControls): \(what.joined(separator: ", "))",
            "  \(way): \(plan.reason.sentence)",
        ]
        if let chunks = plan.chunks {
            lines.append("  chunks: \(chunks), \(Count.bytes(chunks.encryptedSize)) encrypted")
        }
        if let note { lines.append("  note: \(note)") }
        return lines.joined(separator: "\n")
    }

    private var way: String {
        let name = plan.route == .xftp ? "XFTP" : plan.route.rawValue
        return switch plan.isReceivedUnasked {
        case true?: "\(name), received automatically"
        case false?: "\(name), the recipient must accept"
        case nil: name
        }
    }
}
