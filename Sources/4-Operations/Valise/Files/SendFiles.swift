public import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseTransfers
import ValiseXFTPWire

/// Sends files over relays; whoever has a link can receive them.
public struct SendFiles: Operation {
    package var files: [FilePath]
    package var relays: RelayChoice
    /// Where recipients reach a relay of this process, used instead of those of the initializer until all of them have
    /// confirmed receipt. This is not a job: it could not be resumed.
    public var servedAt: ServeAddress?
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?
    /// The number of recipients of each file, each with their own link.
    public var recipients = 1
    /// The name to send instead of the file's own.
    public var name: String?
    /// JSON to include in the links, for apps.
    public var data: String?
    /// Whether links point to a description on a relay.
    package var redirect: RedirectChoice = .whenLong
    /// Where the folder with the descriptions is created.
    public var descriptions: FilePath = "."
    /// Whether links are for the relay's web page.
    public var makesWebLinks = false
    /// Called with each file as soon as it is sent. Later failures do not invalidate its links.
    public var sent: @Sendable (SentFile) async throws -> Void = { _ in }
    /// Called when all files are sent, before they are served.
    package var allSent: @Sendable (SentFiles) async throws -> Void = { _ in }

    /// - Parameters:
    ///   - files: the files to send.
    ///   - relays: the relays to use; by default those in the user's list.
    public init(_ files: [FilePath], over relays: RelayChoice = RelayChoice()) {
        self.files = files
        self.relays = relays
    }

    /// What would be sent.
    public struct Plan: Encodable, Sendable {
        /// One file.
        package struct File: Encodable, Sendable {
            package let path: String
            /// In bytes.
            package let size: Int64
        }
        package let files: [File]
        /// The hosts of the relays.
        public let relays: [String]
    }

    public func plan(in context: OperationContext) async throws -> Plan {
        let found = try await context.blocking { _ in try checkedFiles() }
        let relays =
            if let servedAt { [servedAt.host.text] } else {
                try relays.relays(context.folders).map { $0.address.text }
            }
        return Plan(files: found, relays: relays)
    }

    public func run(in context: OperationContext) async throws -> SentFiles {
        _ = try await context.blocking { _ in try checkedFiles() }
        guard let servedAt else {
            let sent = try await send(over: relays.relays(context.folders), context)
            try await allSent(sent)
            return sent
        }
        let relay = try await ServedRelay.start(servedAt, for: files, recipients: recipients, in: context)
        do {
            let sent = try await send(over: [relay.access], context)
            try await allSent(sent)
            try await relay.serve(sent.files, in: context)
            await relay.stop()
            return sent
        } catch {
            await relay.stop()
            throw error
        }
    }

    /// The files, before anything is said of relays: a file that is missing is missing whatever relay there is.
    /// - Throws: ``OperationError``; `FileError` for one that cannot be read; `FileTransferError`: `tooLarge`.
    private func checkedFiles() throws -> [Plan.File] {
        try checkNames()
        return try files.map { path in
            let size = try FileTransfers.checkedSize(of: path)
            return Plan.File(path: path.string, size: size)
        }
    }

    /// A name that is not UTF-8 arrives from a command line with replacement characters, and is then nobody's.
    private func checkNames() throws {
        for file in files where try file.string.contains("\u{fffd}") && !FileSystem().exists(file) {
            throw OperationError(
                .invalid,
                "cannot send a file whose name is not UTF-8. Nothing was sent.",
                subject: file.string, remedy: .renameFile)
        }
    }

    private func send(over relays: [RelayAccess], _ context: OperationContext) async throws -> SentFiles {
        _ = try TransferStates.folder(context.folders)
        var all: [SentFile] = []
        try await OperationJobs(context).run(files.map(job), isJob: servedAt == nil) {
            job, context, session in
            try await send(job, relays, context, session)
        } done: {
            all.append($0)
        }
        return SentFiles(files: all)
    }

    private func job(_ file: FilePath) -> FileUploadJob {
        FileUploadJob(
            source: JobPath(file), servers: relays.addresses, serverFile: relays.file.map { JobPath($0) },
            proxy: proxy, recipients: recipients, name: name, data: data, redirect: redirect,
            descriptions: JobPath(descriptions), web: makesWebLinks)
    }

    private func send(
        _ job: FileUploadJob, _ relays: [RelayAccess], _ context: OperationContext, _ session: JobSession
    ) async throws -> SentFile {
        // It is asked for again, whatever an earlier run has sent.
        if session.memory != nil { session.remember([]) }
        let file = try await job.perform(relays, context, as: job.source.path.string) { sent in
            if let bytes = try? FileUploadJob.memory(of: sent, context) { session.remember(bytes) }
        }
        try await sent(file)
        return file
    }
}
