import ValiseFailures
package import ValiseJobQueue

/// All operations that run as jobs.
package enum JobKinds {
    static let all: [any DurableOperation.Type] = [
        FileUploadJob.self, FileDownloadJob.self, ArchiveExportJob.self, ArchiveImportJob.self,
        MediaEncryptionJob.self, MediaDecryptionJob.self, AccountRecoveryJob.self, MoveSendJob.self,
        MoveReceiveJob.self,
    ]

    /// One for each kind.
    static func handlers(
        in context: OperationContext, for user: ResumingUser? = nil, _ observer: JobObserver
    ) -> [any JobHandler] {
        func handler<Durable: DurableOperation>(_ kind: Durable.Type) -> any JobHandler {
            OperationHandler<Durable>(context: context, user: user, observer: observer)
        }
        return all.map { handler($0) }
    }

    /// Of the kinds.
    package static let names = Set(all.map { $0.kind })

    /// Whether this version can do a job; others are left alone.
    package static func isKnown(_ job: Job) -> Bool { names.contains(job.kind) }

    /// Whether a job continues nothing: it completes a change that was committed, and rolls back one that was not.
    package static func onlyEnds(_ job: Job) -> Bool { job.kind == AccountRecoveryJob.kind }

    /// Nil for jobs that cannot be read.
    static func operation(of job: Job) -> (any DurableOperation)? {
        func read<Durable: DurableOperation>(_ kind: Durable.Type) -> (any DurableOperation)? {
            try? OperationHandler<Durable>.operation(of: job)
        }
        return all.first { $0.kind == job.kind }.flatMap { read($0) }
    }
}
