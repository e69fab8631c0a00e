import ArgumentParser
import Valise
import ValiseEncoding

/// Lists or discards interrupted uploads.
struct InterruptedUploadOptions: ParsableArguments {
    @Flag(help: "List interrupted uploads, and send nothing.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "Delete an interrupted upload and its sent chunks. Use all for every upload that is not running.",
            valueName: "id"))
    var discard: String?

    func validate() throws {
        guard !list || discard == nil else { throw ValidationError("Use only one of --list and --discard") }
    }

    var isAsked: Bool { list || discard != nil }

    /// Lists or discards.
    func run(_ proxy: ProxyOption, _ dryRun: DryRunOption, _ output: OutputOptions) throws {
        guard let discard else { return try show(output) }
        var operation = DiscardUploads(discard == Self.all ? nil : discard)
        operation.proxy = proxy.proxy
        if dryRun.isAsked {
            let uploads = try output.plan(operation).uploads
            return try output.show(
                "uploadsDiscard", would: uploads.map { "discard the upload \($0.id) of \($0.path)" })
        }
        let report = try output.run(operation)
        try output.print(report) {
            report.discarded.isEmpty
                ? "no uploads discarded" : report.discarded.map { "discarded \($0)" }.joined(separator: "\n")
        }
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private static let all = "all"

    // MARK: Listing

    private func show(_ output: OutputOptions) throws {
        let uploads = try output.run(ListOperations([.uploads])).records.compactMap(\.upload)
        try output.print(["uploads": uploads], type: "interruptedUploads") {
            uploads.isEmpty ? "no interrupted uploads" : uploads.map(Self.text).joined(separator: "\n")
        }
    }

    private static func text(_ upload: InterruptedUpload) -> String {
        let text =
            if upload.isDamaged {
                "unreadable journal; discard it"
            } else if upload.isRunning {
                "running"
            } else {
                "\(upload.path) (\(Count.bytes(upload.size))), \(Count.text(upload.storedChunks, "chunk")) sent"
                    + (upload.isComplete ? ", complete: send the file again to get its links" : "")
            }
        return "\(upload.id): \(text)".withoutControls
    }
}
