import ValiseFailures
import ValiseJobQueue

/// All acts that run as jobs.
enum JobKinds {
    static let all: [any JobbedAct.Type] = [
        FileUploadAct.self, FileDownloadAct.self, ArchiveExportAct.self, ArchiveImportAct.self,
        MediaEncryptionAct.self, MediaDecryptionAct.self, AccountRecoveryAct.self, MoveSendAct.self,
        MoveReceiveAct.self,
    ]

    /// One for each kind.
    static func handlers(
        person: JobPerson? = nil, failed: @escaping @Sendable (any Failure) -> Void = { _ in },
        note: @escaping @Sendable (JobID, String) -> Void
    ) -> [any JobHandler] {
        func handler<Act: JobbedAct>(_ kind: Act.Type) -> any JobHandler {
            ActHandler<Act>(person: person, note: note, failed: failed)
        }
        return all.map { handler($0) }
    }

    /// Of the kinds.
    static let names = Set(all.map { $0.kind })

    /// Whether this version can do a job; others are left alone.
    static func isKnown(_ job: Job) -> Bool { names.contains(job.kind) }

    /// What stays behind when a job is cancelled, and how to remove it; nil for nothing, and for jobs that cannot be read.
    static func remains(of job: Job) -> String? {
        all.first { $0.kind == job.kind }.flatMap { remains($0, job) }
    }

    private static func remains<Act: JobbedAct>(_ kind: Act.Type, _ job: Job) -> String? {
        (try? ActHandler<Act>.act(of: job))?.remains
    }
}
