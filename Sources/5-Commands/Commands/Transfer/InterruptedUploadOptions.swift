import ArgumentParser
import Valise

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
        var operation = DiscardUploads(discard == Self.all ? nil : discard)
        operation.proxy = proxy.proxy
        let report = try output.run(operation)
        try output.print(report) {
            report.discarded.isEmpty
                ? "nothing was discarded" : report.discarded.map { "discarded \($0)" }.joined(separator: "\n")
        }
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private static let all = "all"

    // MARK: Listing

    private func show(_ output: OutputOptions) throws {
        let uploads = try output.run(ListOperations([.uploads])).compactMap(\.upload)
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
}
