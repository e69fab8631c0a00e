public import SystemPackage
import ValiseFiles
package import ValiseTransfers
import ValiseXFTPClient

/// Receives a file by its link or description.
public struct ReceiveFile: Operation {
    /// Links, or paths of `.xftp` files; all of them for a divided file.
    package var references: [String]
    /// A folder, or the name of the new file.
    package var target: FilePath
    /// Whether a file with that name is replaced, if it is of the same kind.
    public var replaces = false
    /// The new file for the key, to keep the received file encrypted.
    public var keyOutput: FilePath?
    /// The maximum size in bytes.
    public var largest: Int64?
    /// Whether the file can be received a second time.
    public var staysOnRelays = false
    /// Whether all relays may learn the network address.
    public var approvesRelays = false
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?
    /// Called with the received file, before it is acknowledged to the relays.
    public var received: @Sendable (ReceivedFile) async throws -> Void = { _ in }

    /// - Parameters:
    ///   - references: links or descriptions of one file, or of its parts.
    ///   - target: a folder, or the name of the file.
    public init(_ references: [String], to target: FilePath) {
        self.references = references
        self.target = target
    }

    /// What would be received.
    public struct Plan: Sendable {
        /// Whether the file gets its own name in the folder `ReceiveFile.target`.
        public let isFolder: Bool
        package let files: [FileReference]
    }

    public func plan(in context: OperationContext) async throws -> Plan {
        Plan(isFolder: try FileSystem().isDirectory(target), files: try FileReferences.read(references))
    }

    public func run(in context: OperationContext) async throws -> ReceivedFile {
        let job = try job()
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing {
            let states = try TransferStates.folder(context.folders)
            let transfers = FileTransfers(relays: network, states: states)
            let file = try await OperationJobs(context).run(job) { context, session in
                try await receive(job, transfers, context, session)
            }
            let result = ReceivedFile(file: file)
            try await received(result)
            // The file is there and said to be; relays may take their time.
            if !staysOnRelays {
                await transfers.acknowledge(
                    file, try context.relayApproval(approvesAll: approvesAll),
                    report: TransferReporter("acknowledging", context).tell)
            }
            return result
        }
    }

    private var approvesAll: Bool { approvesRelays || proxy != nil }

    private func job() throws -> FileDownloadJob {
        let isFolder = try FileSystem().isDirectory(target)
        return FileDownloadJob(
            references: try FileReferences.forLater(references), target: JobPath(target), isFolder: isFolder,
            replaces: replaces, keyOutput: keyOutput.map { JobPath($0) }, largest: largest,
            staysOnRelays: staysOnRelays, approvesRelays: approvesRelays, proxy: proxy,
            previous: isFolder ? nil : try JobFileMark(target))
    }

    private func receive(
        _ job: FileDownloadJob, _ transfers: FileTransfers, _ context: OperationContext, _ session: JobSession
    ) async throws -> DownloadedFile {
        // It is asked for again, whatever an earlier run has received.
        let memory = FileDownloadMemory(session.memory).unfinished
        if session.memory != nil, let bytes = try? memory.bytes { session.remember(bytes) }
        let approval = try context.relayApproval(
            approvesAll: approvesAll, unasked: { .unapprovedOfFile($0) }
        ) { relays in
            if let bytes = try? memory.approving(relays).bytes { session.remember(bytes) }
        }
        let file = try await job.perform(transfers, approval, context)
        let result = try JobResult(ReceivedFile(file: file), context.wording)
        if let bytes = try? memory.with(result).bytes { session.remember(bytes) }
        return file
    }
}

/// A file that was received.
public struct ReceivedFile: OperationReport {
    /// What was received.
    package let file: DownloadedFile

    /// Where the file is.
    public var path: FilePath { file.path }
    /// The size of its content, in bytes.
    public var size: Int64 { file.size }
    /// The name that the sender gave it.
    public var name: String { file.name }

    public func encode(to encoder: any Encoder) throws {
        try TypedDocument(type: "fileReceived", value: file).encode(to: encoder)
    }
}
