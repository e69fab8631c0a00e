import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles
import ValiseJobQueue
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// `valise file send` as jobs, one for each file. Passwords of relays stay in their file.
struct FileUploadAct: JobbedAct {
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
    var remains: String? {
        "'valise file send --list' tells whether relays hold parts of it, and --discard removes them"
    }

    static func identity(_ source: String) -> [String] { [source] }

    /// Sends the file, or what is missing of it on the relays.
    ///
    /// - Parameter sent: is told of the links as soon as nothing else has them any longer.
    func perform(
        _ relays: [RelayAccess], report: @escaping EventHandler,
        sent: @escaping @Sendable (SentFile) -> Void
    ) async throws -> SentFile {
        // What an earlier run of the same had written is among the folders that are taken.
        let place = try DescriptionFolder.free(for: source.path, in: descriptions.path)
        var options = UploadOptions(relays: relays)
        options.recipients = recipients
        options.name = name
        options.data = data
        options.redirect = redirect
        options.descriptions = place.free
        options.formerDescriptions = place.taken
        let network = RelayNetwork(ProxyOption.connection(proxy))
        return try await network.closing { [options] in
            let file = try await FileTransfers(relays: network, states: try TransferStates.folder())
                .uploadStandaloneFile(source.path, options, report: report)
            let folder = file.descriptions ?? place.free
            let result = SentFile(
                path: source.path.string, descriptions: folder.string,
                webLinks: web ? try file.webLinks() : nil, file: file)
            sent(result)
            return result
        }
    }

    func resume(_ context: ActContext) async throws -> ActResult {
        // It came to its end, and the run that did it to no end of its own.
        if let done = context.memory.flatMap({ try? JSONText.decode(ActResult.self, from: $0) }) {
            return done
        }
        let relays = try RelayChoiceOptions.relays(servers, serverFile?.path)
        let narration = TransferNarration(activity: "sending", work: ActListener(context: context))
        let sent = try await perform(relays, report: narration.tell) { sent in
            if let bytes = try? Self.memory(of: sent) { try? context.remember(bytes) }
        }
        return try Self.result(sent)
    }

    /// What a later run needs to tell of a file that was sent.
    static func memory(of sent: SentFile) throws -> [UInt8] { try JSONText.encodeBytes(result(sent)) }

    private static func result(_ sent: SentFile) throws -> ActResult {
        let links = try sent.webLinks ?? sent.file.appLinks()
        let end =
            "sent \(sent.file.name) (\(ByteCount.text(sent.file.size))); its descriptions are in \(sent.descriptions)"
        return ActResult(
            json: try JSONText.encode(SentFiles(files: [sent])),
            text: (links.flatMap { $0 } + [end.withoutControls]).joined(separator: "\n"))
    }
}

/// A file that was sent, for output.
struct SentFile: Encodable, Sendable {
    let path: String
    /// The folder with the descriptions.
    let descriptions: String
    /// For the relay's web page, where they are asked for: those of each recipient.
    let webLinks: [[String]]?
    let file: UploadedFile
}

/// All that one command has sent.
struct SentFiles: Encodable {
    let type = "filesSent"
    let files: [SentFile]
    /// Why those after them were not sent.
    var error: FailureJSON?
}
