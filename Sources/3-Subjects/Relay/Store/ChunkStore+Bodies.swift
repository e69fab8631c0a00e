package import ValiseXFTPWire

extension ChunkStore {
    /// How an upload begins.
    package enum UploadStart: Sendable {
        /// The first upload stands; what comes now is read and thrown away.
        case alreadyStored
        case accept(ChunkUpload)
    }

    /// Begins to take a chunk in (`FPUT`), and reserves its space.
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, `BLOCKED`, `QUOTA`, `FILE_IO`.
    package func beginUpload(_ sender: EntityID) throws -> UploadStart {
        let id = try Self.known(sender)
        let now = rules.clock()
        let reservation = try calling {
            try records.reserve(
                id, upload: .random(in: 1 ... .max), at: now, until: now + rules.uploadLifetime)
        }
        guard let reservation else { return .alreadyStored }
        do {
            let body = try bytes.begin(
                reservation.name, size: reservation.size, digest: reservation.digest)
            return .accept(ChunkUpload(records, reservation, body))
        } catch {
            // Else it is free after the deadline.
            try? records.release(reservation)
            throw XFTPStoreError(error)
        }
    }

    /// The body for a recipient (`FGET`). It can be read to its end whatever happens to the chunk meanwhile.
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, also where the body has gone, `BLOCKED`, `NO_FILE` before the
    ///   upload, `FILE_IO`.
    package func open(_ recipient: EntityID) throws -> StoredChunk {
        let id = try Self.known(recipient)
        return try calling {
            let stored = try records.body(ofRecipient: id)
            guard let body = try bytes.open(stored.name, size: stored.size) else {
                // It can be uploaded again.
                try records.markMissing(stored) { try bytes.open(stored.name, size: stored.size) != nil }
                throw XFTPStoreError.unknownName
            }
            try records.noteDownload(of: stored.name.chunk, at: rules.clock())
            return StoredChunk(body: body, size: stored.size)
        }
    }
}

/// A body that can be sent.
package struct StoredChunk: Sendable {
    package let body: any OpenBody
    /// In bytes.
    package let size: UInt32
}
