import Synchronization
import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
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
        guard let id = StoredID(sender) else { throw XFTPStoreError.unknownName }
        let place = try state.withLock { state throws(XFTPStoreError) -> (size: UInt32, digest: [UInt8])? in
            guard !state.isClosed else { throw .closed }
            let slot = try Self.chunk(id, state.records)
            guard !state.records.chunks[slot].isHere else { return nil }
            let size = state.records.chunks[slot].size
            let used = state.records.usedSpace + state.reservedSpace
            if let quota = settings.quota, used + Int64(size) > quota {
                throw XFTPStoreError(
                    .noSpace,
                    "the storage quota of \(Count.bytes(quota)) is used up. Nothing was changed.",
                    answer: .quota)
            }
            state.reservedSpace += Int64(size)
            return (size, state.records.digest(slot))
        }
        guard let place else { return .alreadyStored }
        do throws(FileError) {
            return .accept(
                ChunkUpload(
                    self, id, size: place.size, digest: place.digest, try folder.createPartial(id)))
        } catch {
            release(Int64(place.size))
            throw XFTPStoreError(error)
        }
    }

    func release(_ space: Int64) { state.withLock { $0.reservedSpace -= space } }

    /// Gives a body that is whole and durable its name. What was reserved for it is used then.
    /// - Returns: false when another upload of the same bytes was faster.
    func publish(_ partial: FilePath, as id: StoredID) throws -> Bool {
        try change(id) {
            let isHere = try state.withLock { state throws(XFTPStoreError) in
                state.records.chunks[try Self.chunk(id, state.records)].isHere
            }
            if isHere { return false }
            do {
                try folder.publish(partial, as: id)
                try commit([.uploaded(id, path: folder.body(id).string)])
            } catch {
                // Nothing says that it is here. Where it cannot be removed, the next start does.
                try? folder.remove(id)
                throw error
            }
            state.withLock { state in
                guard let slot = state.records.chunk(id) else { return }
                state.reservedSpace -= Int64(state.records.chunks[slot].size)
                state.records.markUploaded(slot)
                state.counters.filesUploaded += 1
            }
            return true
        }
    }

    /// The body for a recipient (`FGET`). It can be read to its end whatever happens to the chunk meanwhile.
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, also where the body has gone, `BLOCKED`, `NO_FILE` before the
    ///   upload, `FILE_IO`.
    package func open(_ recipient: EntityID) throws -> StoredChunk {
        guard let id = StoredID(recipient) else { throw XFTPStoreError.unknownName }
        let (sender, size) = try state.withLock { state throws(XFTPStoreError) -> (StoredID, UInt32) in
            guard !state.isClosed else { throw .closed }
            guard let slot = state.records.chunk(ofRecipient: id) else { throw .unknownName }
            let record = state.records.chunks[try Self.chunk(state.records.chunks[slot].id, state.records)]
            guard record.flags.contains(.uploaded) else {
                throw XFTPStoreError(.notFound, "this chunk has not been uploaded yet", answer: .noFile)
            }
            guard record.isHere else { throw .unknownName }
            return (record.id, record.size)
        }
        let source: FileSource
        do throws(FileError) {
            source = try FileSource(folder.body(sender), fileSystem: folder.fileSystem)
        } catch  where error.code == .notFound {
            try checkBody(sender)
            throw XFTPStoreError.unknownName
        } catch {
            throw XFTPStoreError(error)
        }
        guard source.size == Int64(size) else {
            try checkBody(sender)
            throw XFTPStoreError.unknownName
        }
        noteDownload(sender)
        return StoredChunk(source: source, size: size)
    }
}

extension ChunkStore {
    /// Lets a chunk be uploaded again whose body somebody took away, or cut.
    private func checkBody(_ id: StoredID) throws {
        try change(id) {
            let found = try folder.fileSystem.attributes(of: folder.body(id))
            state.withLock { state in
                guard let slot = state.records.chunk(id),
                    found?.size != Int64(state.records.chunks[slot].size)
                else { return }
                state.records.markMissing(slot)
            }
        }
    }
}

/// A body that can be sent.
package struct StoredChunk: Sendable {
    package let source: FileSource
    /// In bytes.
    package let size: UInt32
}
