import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseJobQueue
import ValiseTransfers
import ValiseXFTPWire

/// `valise file receive` as a job.
struct FileDownloadAct: JobbedAct {
    static let kind = "file.download"
    static let queue = JobQueueName.transfers

    /// Links, or absolute paths of `.xftp` files.
    let references: [String]
    let target: JobPath
    /// Whether the target is a folder, in which the file gets its own name.
    let isFolder: Bool
    let replaces: Bool
    let keyOutput: JobPath?
    let largest: Int64?
    let staysOnRelays: Bool
    let approvesRelays: Bool
    let proxy: ProxyAddress?
    /// What had the file's name when the act was asked for.
    let former: JobFileMark?

    var title: String { isFolder ? "download into \(target.absolute)" : "download of \(target.absolute)" }
    var identity: [String] { [target.absolute] + references.sorted() }
    var remains: String? {
        "what was received is in a hidden folder .valise-receive-… beside the file, and can be removed"
    }

    func perform(
        _ transfers: FileTransfers, _ approval: RelayApproval, report: @escaping EventHandler
    ) async throws -> DownloadedFile {
        var options = DownloadOptions(approval: approval)
        options.replacing = replaces
        options.keyOutput = keyOutput?.path
        options.largest = largest
        return try await transfers.downloadStandaloneFile(
            ReferenceArguments.read(references), to: isFolder ? .folder(target.path) : .file(target.path),
            options, report: report)
    }

    // MARK: Going on

    func resume(_ context: ActContext) async throws -> ActResult {
        let memory = FileDownloadMemory(context.memory)
        if let done = memory.result { return done }
        let approval = try context.relayApproval(approvesAll: approvesRelays || proxy != nil)
        let narration = TransferNarration(activity: "receiving", work: ActListener(context: context))
        let network = RelayNetwork(ProxyOption.connection(proxy))
        return try await network.closing {
            let transfers = FileTransfers(relays: network, states: try TransferStates.folder())
            do {
                let file = try await perform(transfers, approval, report: narration.tell)
                let result = try Self.result(file)
                try context.remember(memory.with(result).bytes)
                if !staysOnRelays { await transfers.acknowledge(file, approval, report: narration.tell) }
                return result
            } catch let error as any Failure where error.code == .alreadyExists && wasReceived {
                return try .wasDone(
                    "fileReceived", "\(target.absolute) was received before the run that did it ended")
            }
        }
    }

    private var wasReceived: Bool {
        guard !isFolder, let found = try? JobFileMark(target.path) else { return false }
        return found != former
    }

    static func result(_ file: DownloadedFile) throws -> ActResult {
        ActResult(
            json: try JSONText.encode(TypedResult(type: "fileReceived", value: file)),
            text: "received \(file.path.string) (\(ByteCount.text(file.size)))".withoutControls)
    }
}

/// What a download keeps for a later run.
struct FileDownloadMemory: Codable, Sendable {
    /// Relays about which the user said yes.
    private var approved: [String] = []
    /// Of a file that was received.
    private(set) var result: ActResult?

    init(_ bytes: [UInt8]?) {
        if let bytes, let found = try? JSONText.decode(Self.self, from: bytes) { self = found }
    }

    var approvedRelays: [XFTPAddress] { approved.compactMap { try? XFTPAddress($0) } }

    var bytes: [UInt8] {
        get throws { try JSONText.encodeBytes(self) }
    }

    func approving(_ relays: [XFTPAddress]) -> Self {
        var memory = self
        memory.approved += relays.map(\.text)
        return memory
    }

    /// Of a file that is asked for again.
    var unfinished: Self {
        var memory = self
        memory.result = nil
        return memory
    }

    func with(_ result: ActResult) -> Self {
        var memory = self
        memory.result = result
        return memory
    }
}
