import ValiseFailures

extension StoreMigrationWork {
    /// For reservations of bodies that stay: were they swept, a body of the source would be removed. A hundred thousand years, in
    /// seconds.
    private static let noDeadline: Int64 = 1 << 42

    /// - Parameter known: the body that the destination has.
    func moveBody(of chunk: ListedChunk, to known: StoredBody?) throws {
        guard let body = chunk.body else {
            if let known, isFinal { try forget(known) }
            return
        }
        // Nobody may upload a chunk that is treated as unknown, and nobody can have it.
        guard chunk.chunk.status == .active else { return }
        if let known {
            if !bodiesStay || known.name == body.name { return note { $0.presentBodies += 1 } }
            try forget(known)
        }
        if bodiesStay { try takeOver(body) } else { try copy(body, of: chunk.chunk) }
    }

    /// The source has no such body any more.
    private func forget(_ body: StoredBody) throws {
        try destination.records.markMissing(body) {
            try removeBody(body.name)
            return false
        }
        note { $0.removedBodies += 1 }
    }

    private func takeOver(_ body: StoredBody) throws {
        let chunk = body.name.chunk
        guard
            let reservation = try destination.records.reserve(
                chunk, upload: body.name.upload, at: migration.clock(), until: Self.noDeadline)
        else { return note { $0.presentBodies += 1 } }
        guard reservation.name == body.name else {
            try destination.records.release(reservation)
            throw XFTPStoreError(
                .unsupported,
                "the records of the destination need other names for the chunks than they have now")
        }
        _ = try destination.records.complete(reservation, StayingBody())
        note { $0.movedBodies += 1 }
    }

    /// Copies a body. One that is missing or damaged is counted: its chunk arrives without a body.
    private func copy(_ body: StoredBody, of chunk: NewStoredChunk) throws {
        guard let content = try source.bytes.open(body.name, size: body.size) else {
            return note { $0.missing(body.name) }
        }
        let now = migration.clock()
        // Each try has a number of its own: what a sweep removes later is not what arrived.
        let reservation = try destination.records.reserve(
            chunk.id, upload: .random(in: 1 ... .max), at: now, until: now + migration.uploadLifetime)
        guard let reservation else {
            content.close()
            return note { $0.presentBodies += 1 }
        }
        let upload: ChunkUpload
        do {
            let incoming = try destination.bytes.begin(
                reservation.name, size: reservation.size, digest: reservation.digest)
            upload = ChunkUpload(destination.records, reservation, incoming)
        } catch {
            content.close()
            try? destination.records.release(reservation)
            throw error
        }
        do {
            try unsafe content.forEachPiece(of: body.size) { try unsafe upload.write($0) }
            try upload.finish()
        } catch {
            upload.cancel()
            try noteLoss(of: body, chunk, error)
            return
        }
        note {
            $0.movedBodies += 1
            $0.movedBytes += Int64(body.size)
        }
    }

    /// Counts a body that the source does not have itself: one that has gone meanwhile, that is not what was announced, or that cannot
    /// be read.
    /// - Parameter error: what stopped the copy.
    /// - Throws: the error, where the source has the body.
    func noteLoss(of body: StoredBody, _ chunk: NewStoredChunk, _ error: any Error) throws {
        guard let failure = error as? XFTPStoreError, failure.code != .noSpace else { throw error }
        guard try source.bytes.has(body) else { return note { $0.missing(body.name) } }
        guard failure.kind == .general, try !isReadable(body, chunk) else { throw error }
        note { $0.damaged(body.name) }
    }

    /// Whether the source has a body as it was announced.
    private func isReadable(_ body: StoredBody, _ chunk: NewStoredChunk) throws -> Bool {
        do {
            return try source.bytes.has(body, digest: chunk.digest)
        } catch {
            let failure = XFTPStoreError(error)
            guard failure.kind == .general else { throw failure }
            return false
        }
    }
}
