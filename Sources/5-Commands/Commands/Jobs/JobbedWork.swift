import ValiseEncoding
import ValiseFailures
import ValiseJobQueue

/// Runs long acts of commands in the foreground, each as a job of the user's queue.
///
/// The job is written, with its lease, before the act begins, and goes when it ends. An act that is interrupted, killed,
/// or fails for a time leaves its job, with which `valise jobs run` goes on; one that fails for good has told the user,
/// and leaves none. Where the queue cannot be used, or the same act runs elsewhere, it runs without a job.
enum JobbedWork {
    /// How long the queue may keep an act waiting.
    private static let patience: Duration = .seconds(5)

    /// Runs an act.
    ///
    /// - Parameters:
    ///   - isJob: false for an act that no later run could go on with.
    ///   - body: does it. What `OutputOptions.withProgress` and `AsynchronousWork` show is the job's progress too.
    static func run<Act: JobbedAct, Value>(
        _ act: Act, isJob: Bool = true, _ output: OutputOptions, _ body: (JobSession) throws -> Value
    ) throws -> Value {
        var values: [Value] = []
        try run([act], isJob: isJob, output) { _, session in values.append(try body(session)) }
        return values[0]
    }

    /// Runs acts one after the other. The jobs of all are written before the first begins.
    ///
    /// - Parameter isJob: false for acts that no later run could go on with.
    static func run<Act: JobbedAct>(
        _ acts: [Act], isJob: Bool = true, _ output: OutputOptions, _ body: (Act, JobSession) throws -> Void
    ) throws {
        let sessions = isJob ? begin(acts, output) : acts.map { _ in JobSession() }
        for (index, act) in acts.enumerated() {
            let session = sessions[index]
            do {
                try session.during { try body(act, session) }
            } catch {
                let fate = act.fate(after: error)
                let later = sessions[(index + 1)...]
                // Nothing was said of them, so that they go with the one that failed for good.
                JobSession.end(later.map { ($0, fate.keepsJob ? .interrupted : fate) } + [(session, fate)])
                if let sentence = sentence(session, fate, more: later.count) { output.note(sentence) }
                throw error
            }
            session.end(.done)
        }
    }

    private static func sentence(_ session: JobSession, _ fate: ActFate, more: Int) -> String? {
        if let reason = session.stopReason { return reason }
        guard let job = session.job, fate.keepsJob else { return nil }
        let which = more == 0 ? "job \(job)" : "job \(job) and \(Count.text(more, "job")) after it"
        let command =
            if case .person = fate { "valise jobs resume \(job)" } else { "valise jobs run" }
        return "this stays as \(which): '\(command)' goes on with it, 'valise jobs cancel \(job)' gives it up"
    }

    // MARK: Beginning

    private static func begin<Act: JobbedAct>(_ acts: [Act], _ output: OutputOptions) -> [JobSession] {
        guard !UserJobs.isSwitchedOff else { return acts.map { _ in JobSession() } }
        do {
            let queue = try UserJobs.open(patience: patience)
            let requests = try acts.map { try $0.request() }
            let beginnings = try queue.change { transaction in
                try requests.map { try begin($0, version: Act.version, transaction) }
            }
            return beginnings.map { beginning in
                switch beginning {
                case .taken(let lease): return JobSession(lease, in: queue)
                case .runsElsewhere: return JobSession()
                case .newer(let job):
                    output.note(
                        "this runs without a job: a newer version of valise wrote job \(job) about the same, "
                            + "which is left alone")
                    return JobSession()
                }
            }
        } catch {
            output.note("this runs without a job, and is not gone on with by itself: \(error.sentence)")
            return acts.map { _ in JobSession() }
        }
    }

    private enum Beginning {
        case taken(JobLease)
        /// What it runs into there, the act says itself.
        case runsElsewhere
        /// A newer version of this program wrote a job that this one cannot judge.
        case newer(JobID)
    }

    /// Writes the job and takes it, or takes the one that was left of the same act.
    private static func begin(
        _ request: JobRequest, version: Int, _ transaction: borrowing JobTransaction
    ) throws -> Beginning {
        if let found = try transaction.jobs(.open(request.kind, request.uniqueKey)).first {
            if found.state == .running, !found.isLeft { return .runsElsewhere }
            if found.payload == request.payload {
                try transaction.resume(found.id)
                return .taken(try transaction.take(found.id))
            }
            if let written = PayloadVersion(of: found)?.version, written > version { return .newer(found.id) }
            // Asked for again in another way: that counts now.
            try transaction.cancel(found.id)
            try? transaction.remove(found.id)
        }
        return .taken(try transaction.take(transaction.add(request).id))
    }
}

extension JobbedAct {
    /// Ten tries within an hour, then once or twice an hour: as long as relays keep a file, two days.
    private static var mostAttempts: Int { 75 }

    /// The job of this act.
    fileprivate func request() throws -> JobRequest {
        JobRequest(
            kind: Self.kind, title: title, payload: try JSONText.encodeBytes(ActPayload(act: self)),
            uniqueKey: JobKey.text(identity), queue: Self.queue, mostAttempts: Self.mostAttempts)
    }
}

/// What a job keeps of an act.
struct ActPayload<Act: JobbedAct>: Codable {
    let version: Int
    let act: Act

    init(act: Act) {
        version = Act.version
        self.act = act
    }
}
