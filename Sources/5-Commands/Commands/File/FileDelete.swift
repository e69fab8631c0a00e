import ArgumentParser
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseTransfers
import ValiseXFTPWire

struct FileDelete: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a sent file from its relays.",
        discussion: """
            With the folder NAME.xftp all of the file goes: its chunks, those of all its parts, and the descriptions \
            behind short links. With snd.xftp.private alone such descriptions stay until they expire.

            What is gone already counts as deleted. The description stays, so that the same can be tried again where \
            a relay did not answer.
            """)

    @Argument(
        help: "Folders NAME.xftp that sending made, or sender's descriptions, snd.xftp.private.",
        completion: .file())
    var descriptions: [String]

    @OptionGroup var proxy: ProxyOption
    @OptionGroup var output: OutputOptions

    /// How far it came.
    private struct Outcome: Sendable {
        var files: [DeletedFile] = []
        var failure: (any Failure)?
    }

    func run() throws {
        // All of them before the first is deleted.
        guard !descriptions.contains(where: { FileLink.isLink($0) }) else {
            throw CommandError(
                .invalid, "a file is deleted with its sender's description, snd.xftp.private, not with a link"
            )
        }
        let senders = try descriptions.flatMap { try SenderDescription.read(at: FilePath($0)) }
        let outcome = try delete(senders)
        if let failure = outcome.failure, outcome.files.isEmpty { throw failure }
        try output.print(Result(files: outcome.files, error: outcome.failure.map { FailureJSON($0) })) {
            outcome.files.map(\.text).joined(separator: "\n")
        }
        if let failure = outcome.failure { throw ReportedFailure(failure: failure) }
        if !outcome.files.allSatisfy(\.report.isComplete) { throw ExitStatusError(status: .entryErrors) }
    }

    private func delete(_ senders: [SenderDescription]) throws -> Outcome {
        try AsynchronousWork.run(output) { [connection = proxy.connection] work in
            let narration = TransferNarration(activity: "deleting", work: work)
            let network = RelayNetwork(connection)
            let states = try TransferStates.folder()
            return try await network.closing {
                let transfers = FileTransfers(relays: network, states: states)
                var outcome = Outcome()
                do {
                    for sender in senders {
                        let report = try await transfers.deleteStandaloneFile(
                            sender.description, report: narration.tell)
                        work.forgetTroubles()
                        outcome.files.append(DeletedFile(path: sender.path.string, report: report))
                    }
                } catch let failure as any Failure {
                    outcome.failure = failure
                }
                return outcome
            }
        }
    }

    private struct DeletedFile: Encodable, Sendable {
        let path: String
        let report: DeletionReport

        private enum Keys: String, CodingKey { case path }

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(path, forKey: .path)
        }

        var text: String {
            var text = "\(path.withoutControls): \(Count.text(report.deletedCount, "chunk")) deleted"
            if report.goneCount > 0 { text += ", \(report.goneCount) already gone" }
            for chunk in report.chunks {
                guard case .failed(let error) = chunk.outcome else { continue }
                text +=
                    "\n  " + "chunk \(chunk.number) at \(chunk.relay.text): \(error.sentence)".withoutControls
            }
            return text
        }
    }

    private struct Result: Encodable {
        let type = "filesDeleted"
        let files: [DeletedFile]
        /// Why those after them were not deleted.
        let error: FailureJSON?
    }
}
