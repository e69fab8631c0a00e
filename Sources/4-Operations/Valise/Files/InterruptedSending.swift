import SystemPackage
import ValiseTransfers
import ValiseXFTPClient

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
        var options = UploadOptions(relays: try RelayChoice().relays(context.folders))
        // What an earlier run of the same had written is among the folders that are taken.
        let place = try DescriptionFolder.free(for: source, in: source.removingLastComponent())
        options.descriptions = place.free
        options.previousDescriptions = place.taken
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing { [options] in
            let transfers = FileTransfers(relays: network, states: try TransferStates.folder(context.folders))
            let file = try await transfers.resumeUpload(
                upload.id, options, report: TransferReporter("sending \(source)", context).tell)
            let folder = file.descriptions ?? place.free
            return SentFiles(files: [
                SentFile(
                    path: source.string, descriptions: folder.string, webLinks: nil, file: file)
            ])
        }
    }
}
