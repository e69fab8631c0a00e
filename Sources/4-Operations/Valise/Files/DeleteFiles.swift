public import SystemPackage
import ValiseConcurrency
import ValiseEncoding
public import ValiseFailures
import ValiseFiles
package import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// Deletes sent files from their relays, after ``Question/deleteFiles(_:)``.
public struct DeleteFiles: Operation {
    /// Folders that sending made, or sender's descriptions.
    package var descriptions: [FilePath]
    /// Relays are reached through it; nil for direct connections.
    public var proxy: ProxyAddress?

    /// - Parameter descriptions: the sender's descriptions of the files, or folders with them.
    public init(_ descriptions: [FilePath]) { self.descriptions = descriptions }

    /// What would be deleted.
    public struct Plan: Sendable {
        /// The descriptions of the files, and of those behind short links.
        package let descriptions: [SenderDescription]
    }

    /// If one description cannot be read, nothing is deleted.
    public func plan(in context: OperationContext) async throws -> Plan {
        Plan(descriptions: try descriptions.flatMap(Self.read))
    }

    /// Whoever names the file that was sent means the folder beside it.
    private static func read(_ path: FilePath) throws -> [SenderDescription] {
        do {
            return try SenderDescription.read(at: path)
        } catch let error as FileTransferError where error.kind == .invalidLink {
            guard try FileSystem().isDirectory(path.appendingSuffix(".xftp")) else { throw error }
            throw OperationError(
                error.code, error.message, subject: path.string, need: .folderOfSentFile)
        }
    }

    public func run(in context: OperationContext) async throws -> DeletedFiles {
        let senders = try await plan(in: context).descriptions
        try await context.questions.require(
            .deleteFiles(senders.map(\.path)),
            unasked: .unasked("deleting files from relays", subject: nil))
        let network = RelayNetwork(RelayConnectionOptions(through: proxy))
        let states = try TransferStates.folder(context.folders)
        let reporter = TransferReporter("deleting", context)
        return try await network.closing {
            let transfers = FileTransfers(relays: network, states: states)
            var files: [DeletedFiles.File] = []
            for sender in senders {
                do {
                    let report = try await transfers.deleteStandaloneFile(
                        sender.description, report: reporter.tell)
                    context.note(TransferNotice.settled)
                    let file = DeletedFiles.File(path: sender.path, report: report)
                    context.tell(file.entryFailures)
                    files.append(file)
                } catch let failure as any Failure {
                    if failure.code != .interrupted { context.tell(failure, of: sender.path.string) }
                    return DeletedFiles(files: files, failure: failure)
                }
            }
            return DeletedFiles(files: files, failure: nil)
        }
    }
}

/// Deleted files.
public struct DeletedFiles: Sendable {
    /// One file.
    public struct File: Encodable, Sendable {
        /// Of its description.
        public let path: FilePath
        /// The answers of the relays.
        package let report: DeletionReport

        /// Whether no relay has any of it any longer.
        public var isComplete: Bool { report.isComplete }
        /// How many chunks the relays deleted.
        public var deletedCount: Int { report.deletedCount }

        /// One where chunks of it may still be on relays.
        fileprivate var entryFailures: [EntryFailure] {
            guard !isComplete else { return [] }
            let count = Count.text(report.failedCount, "chunk")
            return [EntryFailure(path.string, Remark("\(count) could not be deleted"))]
        }

        private enum Key: CodingKey { case path }

        public func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(path.string, forKey: .path)
        }
    }

    /// In the order given.
    public let files: [File]
    /// Why the remaining files were not deleted.
    public let failure: (any Failure)?
}
