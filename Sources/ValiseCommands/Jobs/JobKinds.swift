import JobQueue

/// All acts that run as jobs.
enum JobKinds {
    static let all: [any JobbedAct.Type] = [
        FileUploadAct.self, FileDownloadAct.self, ArchiveExportAct.self, ArchiveImportAct.self,
        MediaEncryptionAct.self, MediaDecryptionAct.self, AccountRecoveryAct.self, MoveSendAct.self,
        MoveReceiveAct.self,
    ]

    /// One for each kind.
    static func handlers(
        person: JobPerson? = nil, note: @escaping @Sendable (JobID, String) -> Void
    ) -> [any JobHandler] {
        all.map { handler($0, person, note) }
    }

    private static func handler<Act: JobbedAct>(
        _ kind: Act.Type, _ person: JobPerson?, _ note: @escaping @Sendable (JobID, String) -> Void
    ) -> any JobHandler {
        ActHandler<Act>(person: person, note: note)
    }

    /// Whether this version can do a job; others are left alone.
    static func isKnown(_ job: Job) -> Bool { all.contains { $0.kind == job.kind } }

    /// What stays behind when a job is cancelled, and how to remove it; nil for nothing, and for jobs that cannot be read.
    static func remains(of job: Job) -> String? {
        all.first { $0.kind == job.kind }.flatMap { remains($0, job) }
    }

    private static func remains<Act: JobbedAct>(_ kind: Act.Type, _ job: Job) -> String? {
        (try? ActHandler<Act>.act(of: job))?.remains
    }
}
