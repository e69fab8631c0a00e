import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles
import ValiseJobQueue
import ValiseTransfers
import ValiseXFTPWire

/// ``SendFiles`` as jobs, one for each file. Passwords of relays stay in their file.
struct FileUploadJob: DurableOperation {
    static let kind = "file.upload"
    static let queue = JobQueueName.transfers

    let source: JobPath
    let servers: [String]
    let serverFile: JobPath?
    let proxy: ProxyAddress?
    let recipients: Int
    let name: String?
    let data: String?
    let redirect: RedirectChoice
    /// Where the folder with the descriptions is made.
    let descriptions: JobPath
    /// Whether links are for the relay's web page.
    let web: Bool

    var title: String { "upload of \(source.absolute)" }
    var identity: [String] { Self.identity(source.absolute) }
    var paths: [FilePath] { [source.path] }
    var sources: [JobSource] { [.file(source)] }
    var leftovers: JobLeftovers? { .uploadedChunks }

    static func identity(_ source: String) -> [String] { [source] }

    /// Sends the file, or what is missing of it on the relays.
    ///
    /// - Parameters:
    ///   - shown: the file as its progress names it; nil where it does not.
    ///   - sent: is told of the links as soon as nothing else has them any longer.
    func perform(
        _ relays: [RelayAccess], _ context: OperationContext, as shown: String?,
        sent: @escaping @Sendable (SentFile) -> Void
    ) async throws -> SentFile {
        try FileSystem().makeDirectories(descriptions.path)
        var options = UploadOptions(relays: relays)
        options.recipients = recipients
        options.name = name
        options.data = data
        options.redirect = redirect
        return try await DescriptionFolder.sending(
            source.path, in: descriptions.path, options, through: proxy, context
        ) { transfers, options, place in
            let file = try await transfers.uploadStandaloneFile(
                source.path, options, report: TransferReporter("sending", file: shown, context).tell)
            let folder = file.descriptions ?? place
            let result = SentFile(
                path: source.path.string, descriptions: folder.string,
                webLinks: web ? try file.webLinks() : nil, file: file)
            sent(result)
            return result
        }
    }

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        // It came to its end, and the run that did it to no end of its own.
        if let done = context.memory.flatMap({ try? JSONText.decode(JobResult.self, from: $0) }) {
            return done
        }
        try await context.requireSameSources()
        let relays = try RelayChoice(servers, file: serverFile?.path).relays(context.operation.folders)
        let sent = try await perform(relays, context.operation, as: nil) { sent in
            if let bytes = try? Self.memory(of: sent, context.operation) { try? context.remember(bytes) }
        }
        return try context.result(SentFiles(files: [sent]))
    }

    /// What a later run needs to tell of a file that was sent.
    static func memory(of sent: SentFile, _ context: OperationContext) throws -> [UInt8] {
        try JSONText.encodeBytes(JobResult(SentFiles(files: [sent]), context.wording))
    }
}
