import SystemPackage
import ValiseConcurrency
package import ValiseFailures
public import ValiseTransfers
import ValiseXFTPClient

/// Discards interrupted uploads and removes their chunks from the relays.
public struct DiscardUploads: Operation {
    /// Nil for all that are not running.
    package var id: String?
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?

    /// - Parameter id: of an upload; nil for all.
    public init(_ id: String? = nil) { self.id = id }

    /// The discarded uploads.
    public struct Report: OperationReport {
        package let type = "uploadsDiscarded"
        /// Their names.
        public fileprivate(set) var discarded: [String] = []
        /// Those that could not be discarded; the notes say why.
        public fileprivate(set) var failed: [String] = []

        public var hasEntryErrors: Bool { !failed.isEmpty }

        private enum CodingKeys: String, CodingKey {
            case type, failed
            case discarded = "uploads"
        }
    }

    /// What would be discarded.
    public struct Plan: Sendable {
        /// All that are not running, or the one that was named.
        public let uploads: [InterruptedUpload]
    }

    public func plan(in context: OperationContext) async throws -> Plan {
        let uploads = try await ListOperations([.uploads]).run(in: context).records.compactMap(\.upload)
            .filter { id == nil ? !$0.isRunning : $0.id == id }
        return Plan(uploads: uploads)
    }

    public func run(in context: OperationContext) async throws -> Report {
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        return try await network.closing {
            let states = try TransferStates.folder(context.folders)
            let transfers = FileTransfers(relays: network, states: states)
            guard let id else { return try await discardAll(transfers, context) }
            try await discard(id, transfers, context)
            return Report(discarded: [id])
        }
    }

    private func discard(_ id: String, _ transfers: FileTransfers, _ context: OperationContext) async throws {
        guard try await transfers.content(ofUpload: id) == nil else { throw UploadOfMove(id: id) }
        let upload = try? await ListOperations([.uploads]).run(in: context).records.compactMap(\.upload)
            .first { $0.id == id }
        try await transfers.discardUpload(id, report: TransferReporter("discarding", context).tell)
        if let upload { try await cancelJob(of: upload, context) }
    }

    private func discardAll(_ transfers: FileTransfers, _ context: OperationContext) async throws -> Report {
        var report = Report()
        for upload in try await ListOperations([.uploads]).run(in: context).records.compactMap(\.upload) {
            if upload.isRunning {
                context.note(UploadNote.isRunning(upload.id))
                continue
            }
            do {
                try await transfers.discardUpload(
                    upload.id, report: TransferReporter("discarding", context).tell)
                try await cancelJob(of: upload, context)
                report.discarded.append(upload.id)
            } catch let failure as any Failure where failure.code != .interrupted {
                context.note(UploadNote.notDiscarded(upload.id, failure))
                context.tell(failure, of: upload.id)
                report.failed.append(upload.id)
            }
        }
        // Those that had not sent anything yet have nothing but a job.
        if report.failed.isEmpty {
            try await BlockingExecutor.shared.run {
                UserJobs(context.folders).cancel(FileUploadJob.kind, nil)
            }
        }
        return report
    }

    /// Nor is it begun anew by a job that was left of it.
    private func cancelJob(of upload: InterruptedUpload, _ context: OperationContext) async throws {
        let identity = FileUploadJob.identity(JobPath(FilePath(upload.path)).absolute)
        try await BlockingExecutor.shared.run {
            UserJobs(context.folders).cancel(FileUploadJob.kind, identity)
        }
    }
}

/// Thrown for an upload that belongs to a move, which has to be cancelled instead.
package struct UploadOfMove: Failure {
    package let id: String

    package var code: FailureCode { .invalid }
    package var message: String {
        "this upload belongs to another operation, such as an account move. Nothing was removed."
    }
    package var subject: String? { id }
    package var cause: (any Error)? { nil }
}

/// What is told of uploads that are discarded.
package enum UploadNote: OperationNote {
    case isRunning(String)
    case notDiscarded(String, any Failure)

    package var text: String {
        switch self {
        case .isRunning(let id): "\(id) is still running and was kept"
        case .notDiscarded(let id, let failure): "\(id): \(failure.message)"
        }
    }
}
