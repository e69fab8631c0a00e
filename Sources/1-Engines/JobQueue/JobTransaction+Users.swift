/// What a user does.
extension JobTransaction {
    /// Asks for no more of a job: one that waits is cancelled at once, with all that need it; one that runs learns of it by
    /// its next heartbeat. One that has ended stays as it is.
    /// - Throws: ``JobQueueError``: `noSuchJob`.
    @discardableResult
    package borrowing func cancel(_ id: JobID) throws -> Job { try database.cancel(id) }

    /// Lets a job run now that waits for a user or for the time of its next try.
    /// - Throws: ``JobQueueError``: `noSuchJob`; `wrongState` for one that runs or has ended.
    @discardableResult
    package borrowing func resume(_ id: JobID) throws -> Job { try database.resume(id) }

    /// Gives a job that failed or was cancelled all its tries again, and with it what failed because of it.
    /// - Throws: ``JobQueueError``: `noSuchJob`; `wrongState` for any other job, and where something that it needs has to be
    ///   tried again first; `sameKey` where it was added again meanwhile.
    @discardableResult
    package borrowing func retry(_ id: JobID) throws -> Job { try database.retry(id) }

    /// Removes a job that has ended.
    /// - Throws: ``JobQueueError``: `noSuchJob`; `wrongState` for one that has not ended or that another one needs.
    package borrowing func remove(_ id: JobID) throws { try database.remove(id) }

    /// Removes jobs that were finished or cancelled some time ago, except those that another one needs. Dead letters stay.
    ///
    /// - Parameter age: since their end, by the clock on the wall.
    /// - Returns: how many.
    @discardableResult
    package borrowing func removeEnded(olderThan age: Duration) throws -> Int {
        try database.removeEnded(olderThan: age)
    }
}
