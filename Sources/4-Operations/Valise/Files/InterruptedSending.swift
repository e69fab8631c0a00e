import SystemPackage
import ValiseTransfers

/// Completes an upload from its journal alone: how its file is sent is what it was.
struct InterruptedSending: Sendable {
    private let upload: InterruptedUpload
    private let proxy: ProxyAddress?

    init(_ upload: InterruptedUpload, _ proxy: ProxyAddress?) {
        self.upload = upload
        self.proxy = proxy
    }

    /// - Throws: ``OperationError`` where the user has no relays; `FileTransferError`; `FileError`.
    func run(in context: OperationContext) async throws -> SentFiles {
        let source = FilePath(JobPath(FilePath(upload.path)).absolute)
        let options = UploadOptions(relays: try RelayChoice().relays(context.folders))
        return try await DescriptionFolder.sending(
            source, in: source.removingLastComponent(), options, through: proxy, context
        ) { transfers, options, place in
            let file = try await transfers.resumeUpload(
                upload.id, options,
                report: TransferReporter("sending", file: source.string, context).tell)
            let folder = file.descriptions ?? place
            return SentFiles(files: [
                SentFile(
                    path: source.string, descriptions: folder.string, webLinks: nil, file: file)
            ])
        }
    }
}
