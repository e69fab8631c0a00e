public import SystemPackage
import ValiseFailures
import ValiseFiles
public import ValiseTransfers
import ValiseXFTPWire

/// Sends files over relays; whoever has a link can receive them.
public struct SendFiles: Operation {
    package var files: [FilePath]
    package var relays: RelayChoice
    /// A relay of this process; the relays of the initializer do not count then. Such a sending is no job: nobody could resume it.
    public var servedBy: ServedRelay?
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?
    /// How many may receive each file, by a link of their own.
    public var recipients = 1
    /// The name that travels with the file, instead of its own.
    public var name: String?
    /// JSON that the links carry for apps.
    public var data: String?
    /// Whether links lead to a description on a relay.
    public var redirect: RedirectChoice = .whenLong
    /// Where the folder with the descriptions is made.
    public var descriptions: FilePath = "."
    /// Whether links are for the relay's web page.
    public var makesWebLinks = false
    /// Gets each file as soon as it is sent: what fails after it does not take its links back.
    public var sent: @Sendable (SentFile) async throws -> Void = { _ in }

    /// - Parameters:
    ///   - files: what is sent.
    ///   - relays: over which; those of the user's list unless said.
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
        let fileSystem = FileSystem()
        let found = try files.map { path in
            let size = try fileSystem.attributes(of: fileSystem.resolve(path))?.size ?? 0
            return Plan.File(path: path.string, size: size)
        }
        return Plan(files: found, relays: try access(context).map { $0.address.text })
    }

    public func run(in context: OperationContext) async throws -> SentFiles {
        let relays = try access(context)
        _ = try TransferStates.folder(context.folders)
        var all: [SentFile] = []
        try await OperationJobs(context).run(files.map(job), isJob: servedBy == nil) {
            job, context, session in
            try await send(job, relays, context, session)
        } done: {
            all.append($0)
        }
        return SentFiles(files: all)
    }

    private func access(_ context: OperationContext) throws -> [RelayAccess] {
        try servedBy.map { [$0.access] } ?? relays.relays(context.folders)
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
        let file = try await job.perform(relays, context, activity: "sending \(job.source.path)") { sent in
            if let bytes = try? FileUploadJob.memory(of: sent, context) { session.remember(bytes) }
        }
        try await sent(file)
        return file
    }
}
