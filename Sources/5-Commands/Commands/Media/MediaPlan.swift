import ArgumentParser
import Valise
import ValiseMediaRules

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
        var result = Result()
        for file in files {
            do {
                let media = try MediaFile(FilePath(file))
                let plan = try media.plan(as: type, by: transport)
                result.files.append(MediaPlanEntry(path: file, media, plan))
            } catch let failure as any Failure {
                if files.count == 1 { throw failure }
                result.failures.append(FailureJSON(failure, ExitStatus(failure.code)))
                if !output.json { CommandLineMain.report(failure) }
            }
        }
        try output.print(result) { result.files.map(\.text).joined(separator: "\n") }
        if !result.failures.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private struct Result: Encodable {
        let type = "mediaPlan"
        var files: [MediaPlanEntry] = []
        var failures: [FailureJSON] = []
    }
}
