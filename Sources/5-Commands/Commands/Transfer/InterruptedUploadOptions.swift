import ArgumentParser
import SystemPackage
import ValiseFailures
import ValiseJobQueue
import ValiseTransfers
import ValiseXFTPWire

/// What becomes of uploads that were begun and did not come to their end.
struct InterruptedUploadOptions: ParsableArguments {
    @Flag(help: "List uploads that were interrupted, and send nothing.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "Remove what this interrupted upload had sent, and forget it; all for every one that is not running.",
            valueName: "id"))
    var discard: String?

    func validate() throws {
        guard !list || discard == nil else { throw ValidationError("Give only one of --list and --discard.") }
    }

    var isAsked: Bool { list || discard != nil }

    /// Does what is asked for.
    func run(_ proxy: ProxyOption, _ output: OutputOptions) throws {
        guard let discard else { return try show(output) }
        let (discarded, failures) = try AsynchronousWork<([String], [String])>.run(output) {
            [connection = proxy.connection] work in
            let narration = TransferNarration(activity: "discarding", work: work)
            let network = RelayNetwork(connection)
            return try await network.closing {
                let transfers = FileTransfers(relays: network, states: try TransferStates.folder())
                guard discard == Self.all else {
                    guard try await transfers.content(ofUpload: discard) == nil else {
                        throw CommandError(
                            .invalid,
                            "this upload is of no file and belongs to the command that began it, such as a move of an "
                                + "account; nothing was removed, cancel it there ('valise move cancel')",
                            subject: discard)
                    }
                    let upload = try? await transfers.interruptedUploads().first { $0.id == discard }
                    try await transfers.discardUpload(discard, report: narration.tell)
                    upload.map { Self.giveUp($0, in: try? UserJobs.existing()) }
                    return ([discard], [])
                }
                return try await Self.discardAll(transfers, narration)
            }
        }
        try output.print(Discarded(uploads: discarded, failed: failures)) {
            discarded.isEmpty
                ? "nothing was discarded" : discarded.map { "discarded \($0)" }.joined(separator: "\n")
        }
        if !failures.isEmpty { throw ExitStatusError(status: .entryErrors) }
    }

    private static let all = "all"

    private static func discardAll(
        _ transfers: FileTransfers, _ narration: TransferNarration<some TransferListener>
    ) async throws -> ([String], [String]) {
        var (discarded, failed): ([String], [String]) = ([], [])
        let queue = try? UserJobs.existing()
        for upload in try await transfers.interruptedUploads() {
            if upload.isRunning {
                narration.work.note("\(upload.id) is running and stays")
                continue
            }
            do {
                try await transfers.discardUpload(upload.id, report: narration.tell)
                giveUp(upload, in: queue)
                discarded.append(upload.id)
            } catch let failure as any Failure where failure.code != .interrupted {
                narration.work.note("\(upload.id): \(failure.message)")
                failed.append(upload.id)
            }
        }
        // Those that had not sent anything yet have nothing but a job.
        if failed.isEmpty { UserJobs.giveUp(FileUploadAct.kind, nil, in: queue) }
        return (discarded, failed)
    }

    /// Nor is it begun anew by a job that was left of it.
    private static func giveUp(_ upload: InterruptedUpload, in queue: JobQueue?) {
        let identity = FileUploadAct.identity(JobPath(FilePath(upload.path)).absolute)
        UserJobs.giveUp(FileUploadAct.kind, identity, in: queue)
    }

    // MARK: Listing

    private func show(_ output: OutputOptions) throws {
        let uploads = try AsynchronousWork<[InterruptedUpload]>.run(output) { _ in
            try await FileTransfers(relays: RelayNetwork(), states: try TransferStates.folder())
                .interruptedUploads()
        }
        try output.print(Listed(uploads: uploads)) {
            uploads.isEmpty ? "no upload was interrupted" : uploads.map(Self.text).joined(separator: "\n")
        }
    }

    private static func text(_ upload: InterruptedUpload) -> String {
        let text =
            if upload.isDamaged {
                "its journal cannot be read; discard it"
            } else if upload.isRunning {
                "is running"
            } else {
                "\(upload.path) (\(ByteCount.text(upload.size))), \(Count.text(upload.storedChunks, "chunk")) sent"
                    + (upload.isComplete ? ", complete: send it again for its links" : "")
            }
        return "\(upload.id): \(text)".withoutControls
    }

    private struct Listed: Encodable {
        let type = "interruptedUploads"
        let uploads: [InterruptedUpload]
    }

    private struct Discarded: Encodable {
        let type = "uploadsDiscarded"
        let uploads: [String]
        /// Those that are still there, as of the notes.
        let failed: [String]
    }
}
