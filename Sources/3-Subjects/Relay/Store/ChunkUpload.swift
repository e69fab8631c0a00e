import Synchronization
import ValiseXFTPWire

/// A chunk that is coming in (`FPUT`). One thread after another may have it, never two at once.
///
/// Until ``finish()`` returns nothing of it is kept; when it goes out of scope before, all of it is gone.
package final class ChunkUpload: Sendable {
    /// What the chunk is to have, in bytes.
    package var size: UInt32 { reservation.size }

    private let records: any ChunkRecords
    private let reservation: BodyReservation
    /// Nil once the upload is over.
    private let body: Mutex<(any IncomingBody)?>

    /// The space is reserved already, and given back with this.
    init(_ records: any ChunkRecords, _ reservation: BodyReservation, _ body: any IncomingBody) {
        self.records = records
        self.reservation = reservation
        self.body = Mutex(body)
    }

    deinit { cancel() }

    /// Adds what came in.
    /// - Throws: ``XFTPStoreError``, answers `SIZE` where it is more than the chunk has, `FILE_IO`, `QUOTA` when the disk
    ///   is full. The upload is over then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        try body.withLock { body in
            guard let current = body else { throw XFTPStoreError.endedUpload }
            do {
                try unsafe current.write(bytes)
            } catch {
                body = nil
                drop(current)
                throw XFTPStoreError(error)
            }
        }
    }

    /// Keeps the chunk: it is durable when this returns.
    ///
    /// Where another upload of the same chunk was faster, that one stands.
    ///
    /// - Throws: ``XFTPStoreError``, answers `SIZE`, `DIGEST`, `FILE_IO`, `QUOTA`, `TIMEOUT`, `AUTH` when the chunk was
    ///   deleted meanwhile, `BLOCKED`.
    package func finish() throws {
        try body.withLock { body in
            guard let current = body.take() else { throw XFTPStoreError.endedUpload }
            do {
                try current.finish()
            } catch {
                drop(current)
                throw XFTPStoreError(error)
            }
            do {
                _ = try records.complete(reservation, current)
            } catch {
                throw XFTPStoreError(error)
            }
        }
    }

    /// Drops what came in. Nothing happens after ``finish()``.
    package func cancel() {
        body.withLock { body in
            if let current = body.take() { drop(current) }
        }
    }

    /// Where bytes may be left the space stays reserved, so that they are looked for when the deadline has passed.
    private func drop(_ body: any IncomingBody) {
        do {
            try body.cancel()
            try records.release(reservation)
        } catch {
            // Both are done by whoever sweeps after the deadline.
        }
    }
}
