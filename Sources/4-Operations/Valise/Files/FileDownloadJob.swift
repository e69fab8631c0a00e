import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseJobQueue
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// ``ReceiveFile`` as a job.
struct FileDownloadJob: DurableOperation {
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
    /// What had the file's name when it was asked for.
    let previous: JobFileMark?

    private enum CodingKeys: String, CodingKey {
        case references, target, isFolder, replaces, keyOutput, largest, staysOnRelays, approvesRelays, proxy
        case previous = "former"
    }

    var title: String { Self.title(target, isFolder: isFolder) }
    var identity: [String] { [target.absolute] + references.sorted() }
    var paths: [FilePath] { [target.path] }
    var targets: [MarkedFile] { previous.map { [MarkedFile(target, $0)] } ?? [] }
    var leftovers: JobLeftovers? { hasReceived ? .receivedChunks : nil }
    var mayAsk: Bool { !approvesRelays && proxy == nil }

    static func title(_ target: JobPath, isFolder: Bool) -> String {
        isFolder ? "download into \(target.absolute)" : "download of \(target.absolute)"
    }

    /// Where the file is until it is whole; nil where a description cannot be read any more.
    var receivingFolder: JobPath? {
        guard let references = try? FileReferences.read(references) else { return nil }
        return JobPath(receivingFolder(of: references))
    }

    /// Whether there is something of it; where that cannot be seen, there may be.
    private var hasReceived: Bool {
        guard let folder = receivingFolder else { return true }
        return (try? FileSystem().exists(folder.path)) ?? true
    }

    private func receivingFolder(of references: [FileReference]) -> FilePath {
        let path = FilePath(target.absolute)
        return FileTransfers.receivingFolder(
            of: references, to: isFolder ? .folder(path) : .file(path), isEncrypted: keyOutput != nil)
    }

    func perform(
        _ transfers: FileTransfers, _ approval: RelayApproval, _ context: OperationContext
    ) async throws -> DownloadedFile {
        var options = DownloadOptions(approval: approval)
        options.replacing = replaces
        options.keyOutput = keyOutput?.path
        options.largest = largest
        let references = try FileReferences.read(references)
        let note = ReceivingNotes.Note(
            target: target, isFolder: isFolder, folder: JobPath(receivingFolder(of: references)))
        let download = { [options] in
            try await transfers.downloadStandaloneFile(
                references, to: isFolder ? .folder(target.path) : .file(target.path), options,
                report: TransferReporter("receiving", context).tell)
        }
        guard let notes = ReceivingNotes(context.folders) else { return try await download() }
        return try await notes.during(note, download)
    }

    // MARK: Resuming

    func resume(_ context: ResumptionContext) async throws -> JobResult {
        let memory = FileDownloadMemory(context.memory)
        if let done = memory.result { return done }
        let approval = try context.relayApproval(approvesAll: approvesRelays || proxy != nil)
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing {
            let states = try TransferStates.folder(context.operation.folders)
            let transfers = FileTransfers(relays: network, states: states)
            do {
                let file = try await perform(transfers, approval, context.operation)
                let result = try context.result(ReceivedFile(file: file))
                try context.remember(memory.with(result).bytes)
                if !staysOnRelays {
                    await transfers.acknowledge(
                        file, approval, report: TransferReporter("receiving", context.operation).tell)
                }
                return result
            } catch let error as any Failure where error.code == .alreadyExists && wasReceived {
                return try context.result(
                    AlreadyDone("fileReceived", "\(target.absolute) was already received"))
            }
        }
    }

    private var wasReceived: Bool {
        guard !isFolder, let found = try? JobFileMark(target.path) else { return false }
        return found != previous
    }
}

/// What a download keeps for a later run.
struct FileDownloadMemory: Codable, Sendable {
    /// Relays about which the user said yes.
    private var approved: [String] = []
    /// Of a file that was received.
    private(set) var result: JobResult?

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

    func with(_ result: JobResult) -> Self {
        var memory = self
        memory.result = result
        return memory
    }
}
