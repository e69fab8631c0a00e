/// The bytes of a relay's chunks, each body under its ``BodyName``. Who may have them is with ``ChunkRecords``.
///
/// One contract holds for all implementations, and one suite of tests asks it of each (`ChunkBytesContractTests`). They are
/// ``ChunkFolder``, a file for each body, and ``ChunkObjects``, an object of a storage server. Decision 71 says why this is a seam.
///
/// ## Calls
///
/// All calls block, may come from several threads at once, and from several processes. None is undone by a second one of the same
/// kind.
///
/// ## Failures
///
/// All calls throw ``XFTPStoreError``. Storage that cannot be reached or is busy is
/// ``XFTPStoreError/unavailable(_:subject:cause:)`` and nothing else: clients take all other answers for final.
///
/// ## What is durable
///
/// A body that was published is durable and complete, and has the digest that was announced: nobody ever sees a part of it, or
/// other bytes. Of one that was not published nobody sees anything, and nothing is left where it was cancelled. That a body was
/// removed may be forgotten in a crash, until ``synchronize()`` returns.
package protocol ChunkBytes: Sendable {
    /// Whether several uploads may have one name at the same time: the last one that is published stands, and to cancel one
    /// that is not published leaves the others alone. Elsewhere each upload gets a name of its own.
    var sharesNames: Bool { get }

    /// How logs and messages name the place of a body.
    func location(of name: BodyName) -> String

    /// Begins to take a body in.
    /// - Parameters:
    ///   - name: under which it is to be found.
    ///   - size: what it has to have, in bytes.
    ///   - digest: SHA-256 that it has to have. A digest of another length is one that no body has.
    /// - Throws: ``XFTPStoreError``.
    func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody

    /// A body to be read.
    /// - Returns: nil where there is none of this size.
    /// - Throws: ``XFTPStoreError``.
    func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)?

    /// Removes a body. What is not there counts as removed. Whoever reads it can do so to its end.
    /// - Throws: ``XFTPStoreError``.
    func remove(_ name: BodyName) throws

    /// Makes durable that what was removed has gone.
    /// - Throws: ``XFTPStoreError``.
    func synchronize() throws

    /// Goes through all bodies that were published, in the order of their names, each once. What is published or removed meanwhile
    /// may come or not.
    /// - Parameters:
    ///   - name: only bodies behind this one, such as the last one of an earlier list; nil for all.
    ///   - visit: returns false to end.
    /// - Throws: ``XFTPStoreError``; whatever the closure throws.
    func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws

    /// Goes through all bodies that were published, in any order, for whoever has the bytes for itself and begins to use them: what
    /// uploads left that were interrupted is removed.
    /// - Returns: what was found beside the bodies.
    /// - Throws: ``XFTPStoreError``; whatever the closure throws. Nothing was removed then.
    func takeStock(_ visit: (ListedBody) throws -> Void) throws -> StockReport
}

extension ChunkBytes {
    /// Bytes that are durably gone when they are removed.
    package func synchronize() throws {}

    /// Bytes whose uploads leave nothing when they are interrupted.
    package func takeStock(_ visit: (ListedBody) throws -> Void) throws -> StockReport {
        try list(after: nil) {
            try visit($0)
            return true
        }
        return StockReport()
    }
}

/// A body that is coming in. One thread after another may have it, never two at once.
///
/// It is written, finished, published: in this order, each once. Whoever lets go of it before it is published, or cancels it,
/// leaves nothing behind.
package protocol IncomingBody: AnyObject, Sendable {
    /// Adds what came in.
    /// - Throws: ``XFTPStoreError``, answers `SIZE` where it is more than was announced, `FILE_IO`, `QUOTA` when the disk is
    ///   full. The body is cancelled then.
    func write(_ bytes: UnsafeRawBufferPointer) throws

    /// Makes the body durable. Nobody sees it yet. This is where the work is: ``publish()`` may be called under a lock.
    /// - Throws: ``XFTPStoreError``, answers `SIZE` and `DIGEST` where it is not what was announced. The body is cancelled then.
    func finish() throws

    /// Gives the body its name, durably.
    /// - Throws: ``XFTPStoreError``. It may have its name nevertheless until it is cancelled.
    func publish() throws

    /// Drops the body whatever has become of it: one that is published is removed again. Only whoever knows that no records name
    /// it does that. Nothing happens the second time.
    /// - Throws: ``XFTPStoreError``, where bytes may be left that only ``ChunkRecords/expire(before:at:_:)`` finds.
    func cancel() throws
}

/// A body that is being read. It can be read to its end, whatever happens to its name meanwhile.
package protocol OpenBody: AnyObject, Sendable {
    /// Fills the whole buffer. Callers begin at the start and go on to the end; an implementation may be slow for any other order.
    /// - Throws: ``XFTPStoreError``, also where the body ends before.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws

    /// Gives up files and connections. Nothing can be read any more.
    func close()
}

/// A body that is kept.
package struct ListedBody: Hashable, Sendable {
    package let name: BodyName
    /// In bytes.
    package let size: Int64
    /// When it was stored, in seconds since 1970.
    package let modified: Int64

    package init(name: BodyName, size: Int64, modified: Int64) {
        self.name = name
        self.size = size
        self.modified = modified
    }
}

/// What was found beside bodies, see ``ChunkBytes/takeStock(_:)``.
package struct StockReport: Sendable {
    /// What interrupted uploads left, and was removed.
    package var removedPartials: Int
    /// What is no body. It stays.
    package var foreignEntries: Int
    /// What could not be removed: the first of them.
    package var removalFailure: XFTPStoreError?

    package init(
        removedPartials: Int = 0, foreignEntries: Int = 0, removalFailure: XFTPStoreError? = nil
    ) {
        self.removedPartials = removedPartials
        self.foreignEntries = foreignEntries
        self.removalFailure = removalFailure
    }
}
