/// What a relay knows of its chunks: who may read, write and delete them, how much space they have, and when they expire. The
/// bytes themselves are with ``ChunkBytes``; any records go with any bytes.
///
/// One contract holds for all implementations, and one suite of tests asks it of each (`ChunkRecordsContractTests`). Today's are
/// ``EmbeddedRecords``, tables in memory and the text log of the official relay, and ``PostgresRecords``, a database that several
/// processes share. Decision 71 says why this is a seam.
///
/// ## Calls
///
/// All calls block, may come from several threads at once, and from several processes where an implementation serves several.
/// None relies on what a process remembers, but for what its arguments say. Whoever calls makes names and numbers, so that a call
/// whose answer was lost can be repeated: what it made already stays as it is. A repeated ``acknowledge(_:)`` or
/// ``remove(_:as:_:)`` finds nothing any more and says so.
///
/// ## Failures
///
/// All calls throw ``XFTPStoreError``. A database that cannot be reached, is busy or restarts is
/// ``XFTPStoreError/unavailable(_:subject:cause:)`` and nothing else: clients take all other answers for final. What happened then
/// is not known, but it happened in full or not at all.
///
/// ## What is durable
///
/// What a call made is durable when it returns: it survives the process, the system, and the plug. What a call refused or failed
/// to do does not come back later.
///
/// Bodies and records are not changed in one step. A body is durable and has its name before records say that it is here. What
/// goes first when a chunk is removed is the implementation's to choose, as it has to be able to finish after a crash: with a log
/// on a disk that may be full the body goes before the line; with a database the name is kept in a list of what is to be removed,
/// in the transaction that removes the chunk, until the body has gone. For that, calls that remove get a closure which
/// removes a body, and call it at the right moment, without holding what others need in the same process or database.
///
/// ## Space
///
/// At no moment do bodies that are here and bodies that are coming in have more than the quota together, whatever many threads
/// and processes do. That needs one count of both, changed in the step that reserves, completes, releases or removes.
package protocol ChunkRecords: Sendable {
    // MARK: Names

    /// Announces a chunk with its recipients. Whether its sender may is the caller's question.
    /// - Throws: ``XFTPStoreError``: `alreadyExists` where one of the names is taken by something else; `noSpace` where the
    ///   implementation has limits that this would pass.
    func create(_ chunk: NewStoredChunk, _ recipients: [NewStoredRecipient]) throws

    /// Gives a chunk more recipients, before or after its upload.
    /// - Throws: ``XFTPStoreError``: unknown, blocked; `alreadyExists` and `noSpace` as ``create(_:_:)``.
    func addRecipients(_ recipients: [NewStoredRecipient], to chunk: StoredID) throws

    /// Forgets a recipient. The chunk stays for the others.
    /// - Throws: ``XFTPStoreError``: unknown, blocked.
    func acknowledge(_ recipient: StoredID) throws

    /// What a sender's name stands for; nil for an unknown one, and for a chunk that is treated as unknown.
    /// - Throws: ``XFTPStoreError``.
    func sender(_ id: StoredID) throws -> StoredEntity?

    /// What a recipient's name stands for; nil for an unknown one, and for a chunk that is treated as unknown.
    /// - Throws: ``XFTPStoreError``.
    func recipient(_ id: StoredID) throws -> StoredEntity?

    /// The chunk of a recipient whatever its status is, for the operator; nil for an unknown one.
    /// - Throws: ``XFTPStoreError``.
    func chunk(ofRecipient id: StoredID) throws -> StoredID?

    // MARK: Bodies

    /// Reserves space for an upload. Several may be under way for one chunk: the first that is completed stands.
    ///
    /// Space of reservations whose deadline has passed is given to others where it is needed.
    ///
    /// - Parameters:
    ///   - chunk: as its sender knows it.
    ///   - upload: a random number other than zero, one for each upload.
    ///   - now: in seconds since 1970.
    ///   - deadline: of the reservation, in seconds since 1970. The process may be gone then, or its connection.
    /// - Returns: nil where the body is here already.
    /// - Throws: ``XFTPStoreError``: unknown, blocked; `noSpace`, answer `QUOTA`.
    func reserve(
        _ chunk: StoredID, upload: UInt64, at now: Int64, until deadline: Int64
    ) throws -> BodyReservation?

    /// Publishes a body that is complete, and says that it is here. What was reserved for it is used then, once, however often and
    /// by however many threads this is called.
    ///
    /// Takes the body over: publishes it (``IncomingBody/publish()``) before anything says that it is here, and cancels it
    /// (``IncomingBody/cancel()``) where nothing ever will. Where that is not known, after an outage, it does neither: then the
    /// chunk has the body, or ``expire(before:at:_:)`` finds it when the deadline has passed.
    ///
    /// - Returns: false when the chunk had a body already: that of another upload, and this one is cancelled, or that of this
    ///   reservation, and nothing is touched.
    /// - Throws: ``XFTPStoreError``: unknown or blocked when that happened meanwhile; answer `TIMEOUT` when the reservation's
    ///   space was given to others; whatever the body throws.
    func complete(_ reservation: BodyReservation, _ body: any IncomingBody) throws -> Bool

    /// Gives back what was reserved for an upload that has come to nothing, and left no bytes. What is not reserved any more
    /// counts as given back.
    /// - Throws: ``XFTPStoreError``; the space is free after the deadline then.
    func release(_ reservation: BodyReservation) throws

    /// The body for a recipient.
    /// - Throws: ``XFTPStoreError``: unknown, also where the body has gone missing; blocked; answer `NO_FILE` before the upload.
    func body(ofRecipient id: StoredID) throws -> StoredBody

    /// Lets a chunk be uploaded again whose body somebody took away, or cut. Nothing happens where the chunk has another body
    /// by now, or none.
    /// - Parameters:
    ///   - body: as ``body(ofRecipient:)`` gave it.
    ///   - isThere: looks once more, while no upload is completed in this process.
    /// - Throws: ``XFTPStoreError``; whatever the closure throws.
    func markMissing(_ body: StoredBody, unless isThere: () throws -> Bool) throws

    // MARK: Removal

    /// Removes the body of a chunk, and the chunk with all its names unless it is blocked.
    ///
    /// - Parameters:
    ///   - target: the chunk.
    ///   - removal: what becomes of it.
    ///   - removeBody: removes what the name stands for, whether it is there or not.
    /// - Throws: ``XFTPStoreError``: unknown, blocked. Where the body cannot be removed either this throws and the chunk is still
    ///   there, perhaps without its body, or it returns and ``expire(before:at:_:)`` tries again.
    func remove(
        _ target: RemovalTarget, as removal: ChunkRemoval, _ removeBody: (BodyName) throws -> Void
    ) throws

    /// Removes all chunks that were created before a time, all reservations whose deadline has passed, and all bodies that were
    /// to be removed before and are still there. Others go on meanwhile.
    ///
    /// - Parameters:
    ///   - time: in seconds since 1970. A chunk is older when the hour of its creation has ended before.
    ///   - now: in seconds since 1970, for the deadlines of reservations.
    ///   - removeBody: removes what the name stands for. Gets each body once, unless it fails: then again the next time.
    /// - Returns: how many chunks were removed.
    /// - Throws: ``XFTPStoreError``, the first failure, when all others were tried. What is left is tried the next time.
    func expire(before time: Int64, at now: Int64, _ removeBody: (BodyName) throws -> Void) throws -> Int

    /// Runs what one process at a time does for all, such as ``expire(before:at:_:)``. The one that was elected is so until its
    /// closure returns, or until its process is gone.
    /// - Returns: false where another one is at it: nothing was run then.
    /// - Throws: ``XFTPStoreError``; whatever the closure throws.
    func whileSweeping(_ sweep: () throws -> Void) throws -> Bool

    // MARK: Overview

    /// Goes through all chunks in the order of their names' bytes, each once, whatever their status is. What comes or goes
    /// meanwhile may be among them or not.
    /// - Parameters:
    ///   - id: only chunks behind this name, such as the last one of an earlier run; nil for all.
    ///   - visit: returns false to end.
    /// - Throws: ``XFTPStoreError``; whatever the closure throws.
    func forEach(after id: StoredID?, _ visit: (ListedChunk) throws -> Bool) throws

    /// What is kept at this moment.
    /// - Throws: ``XFTPStoreError``.
    func usage() throws -> StoreUsage

    // MARK: Counting

    /// Counts a download. A count may be lost in a crash.
    /// - Parameters:
    ///   - chunk: as its sender knows it.
    ///   - now: in seconds since 1970.
    /// - Throws: ``XFTPStoreError``.
    func noteDownload(of chunk: StoredID, at now: Int64) throws

    /// What happened since the last midnight.
    /// - Throws: ``XFTPStoreError``.
    func statistics() throws -> StoreStatistics

    /// Ends a day: counters begin again.
    /// - Parameter now: in seconds since 1970.
    /// - Returns: the day's line of comma-separated values, as in the official daily log; nil while it is still the same day.
    /// - Throws: ``XFTPStoreError``.
    func endDay(at now: Int64) throws -> String?

    // MARK: Upkeep

    /// Whether records take much more space than they need, and should not wait for the next look. Quick: asked after every
    /// command.
    var wantsCompaction: Bool { get }

    /// Gives back space that records of what has gone still take, where that is worth it.
    /// - Throws: ``XFTPStoreError``; all records are as they were.
    func compactWhereWorthwhile() throws

    /// Gives up files, locks and connections. Whatever is called afterwards fails, or finds nothing.
    /// - Throws: ``XFTPStoreError`` when counters could not be kept. The records are closed all the same.
    func close() throws
}

/// Records that look after themselves.
extension ChunkRecords {
    package var wantsCompaction: Bool { false }

    package func compactWhereWorthwhile() throws {}
}
