import Failures

/// Runs long acts of commands in the foreground, each as a job of the user's queue.
///
/// The job is written, with its lease, before the act begins, and goes when it ends. An act that is interrupted, killed,
/// or fails for a time leaves its job, with which `valise jobs run` goes on; one that fails for good has told the user,
/// and leaves none. Where the queue cannot be used, or the same act runs elsewhere, it runs without a job.
enum JobbedWork {
    /// Runs an act.
    ///
    /// - Parameter body: does it. What `OutputOptions.withProgress` and `AsynchronousWork` show is the job's progress too.
    static func run<Act: JobbedAct, Value>(
        _ act: Act, _ output: OutputOptions, _ body: (JobSession) throws -> Value
    ) throws -> Value {
        var values: [Value] = []
        try run([act], output) { _, session in values.append(try body(session)) }
        return values[0]
    }

    /// Runs acts one after the other. The jobs of all are written before the first begins.
    static func run<Act: JobbedAct>(
        _ acts: [Act], _ output: OutputOptions, _ body: (Act, JobSession) throws -> Void
    ) throws {
        for act in acts { try body(act, JobSession()) }
    }
}
