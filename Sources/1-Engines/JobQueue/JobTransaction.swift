/// What can be done with jobs in one transaction; lent by ``JobQueue/change(_:)``.
///
/// A method that throws has changed nothing, and the transaction may go on without it; except where the database itself
/// failed, on a full disk for one: then every method that changes something throws the same from then on, and so does
/// ``JobQueue/change(_:)`` at the end.
package struct JobTransaction: ~Copyable {
    let database: JobDatabase

    init(_ database: JobDatabase) { self.database = database }

    /// A job, or nil where there is none of this number.
    package borrowing func job(_ id: JobID) throws -> Job? { try database.job(id) }

    /// Jobs in the order of their numbers.
    package borrowing func jobs(_ filter: JobFilter = JobFilter()) throws -> [Job] {
        try database.jobs(filter)
    }

    /// Writes a job.
    ///
    /// Where one of the same kind and unique key has not ended, nothing is written and that one is given. Where something
    /// that it needs has failed or was cancelled, the new job has failed too.
    ///
    /// - Throws: ``JobQueueError``: `noSuchJob` for a need that is not there; `other` for a request that makes no sense.
    @discardableResult
    package borrowing func add(_ request: JobRequest) throws -> Job {
        let id = try database.insert(request)
        return try database.existing(id)
    }
}
