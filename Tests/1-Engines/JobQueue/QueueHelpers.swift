import SystemPackage
import ValiseFiles
import ValiseJobQueue

/// What a queue refuses; nil where nothing was thrown.
func failure(_ body: () throws -> Void) -> JobQueueError? {
    do {
        try body()
        return nil
    } catch {
        return error as? JobQueueError
    }
}

/// Does jobs of the kind `work` as a test says.
struct WorkHandler: JobHandler {
    let kind = "work"
    let work: @Sendable (Job, JobContext) async throws -> JobOutcome

    func run(_ job: Job, _ context: JobContext) async throws -> JobOutcome { try await work(job, context) }
}

extension FileSystem {
    func mode(_ path: FilePath) throws -> FilePermissions? { try attributes(of: path)?.permissions }
}
