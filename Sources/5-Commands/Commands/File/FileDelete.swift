import ArgumentParser
import Valise
import ValiseEncoding

struct FileDelete: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a sent file from its relays.",
        discussion: """
            Takes the folder NAME.xftp that 'valise file send' created, and deletes the chunks of all parts and the \
            descriptions behind short links. Takes a single snd.xftp.private too; descriptions then stay until they expire.

            Chunks that no longer exist count as deleted. The local description is kept. If a relay did not answer, \
            run the command again. On a terminal, you are asked to confirm first; scripts are not.
            """)

    @Argument(
        help: "Folders NAME.xftp of sent files, or single sender's descriptions (snd.xftp.private).",
        completion: .file())
    var descriptions: [String]

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        // All of them before the first is deleted.
        guard !descriptions.contains(where: { FileLink.isLink($0) }) else {
            throw CommandError(
                .invalid, "cannot delete by link. Use the sender's description, snd.xftp.private.")
        }
        var operation = DeleteFiles(descriptions.map { FilePath($0) })
        operation.proxy = proxy.proxy
        if dryRun.isAsked {
            let senders = try output.plan(operation).descriptions
            return try output.show(
                "fileDeletion", would: senders.map { "delete the file of \($0.path) from its relays" })
        }
        let deleted = try output.run(operation, Answers(input, consent))
        if let failure = deleted.failure, deleted.files.isEmpty { throw failure }
        let result = Result(files: deleted.files, error: deleted.failure.map { FailureJSON($0) })
        try output.print(result) { deleted.files.map(\.text).joined(separator: "\n") }
        if let failure = deleted.failure { throw ReportedFailure(failure: failure) }
        if !deleted.files.allSatisfy(\.report.isComplete) { throw ExitStatusError(status: .entryErrors) }
    }

    private struct Result: Encodable {
        let type = "filesDeleted"
        let files: [DeletedFiles.File]
        /// Why those after them were not deleted.
        let error: FailureJSON?
    }
}

extension DeletedFiles.File {
    fileprivate var text: String {
        var text = "\(path.string.withoutControls): \(Count.text(report.deletedCount, "chunk")) deleted"
        if report.goneCount > 0 { text += ", \(report.goneCount) already gone" }
        for chunk in report.chunks {
            guard case .failed(let error) = chunk.outcome else { continue }
            text += "\n  " + "chunk \(chunk.number) at \(chunk.relay.text): \(error.sentence)".withoutControls
        }
        return text
    }
}
