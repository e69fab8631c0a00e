import Synchronization
import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

/// A chunk that is coming in (`FPUT`). One thread after another may have it, never two at once.
///
/// Until ``finish()`` returns nothing of it is kept; when it goes out of scope before, all of it is gone.
package final class ChunkUpload: Sendable {
    /// What the chunk is to have, in bytes.
    package let size: UInt32

    let id: StoredID
    private let digest: [UInt8]
    private let store: ChunkStore
    private let partial: FilePath
    private let state: Mutex<State>

    private struct State: ~Copyable, Sendable {
        /// Nil once the upload is over.
        var file: OpenFile?
        var hash: SHA256? = SHA256()
        var count: Int64 = 0
    }

    /// The space is reserved already, and given back with this.
    init(_ store: ChunkStore, _ id: StoredID, size: UInt32, digest: [UInt8], _ file: consuming OpenFile) {
        self.store = store
        self.id = id
        self.size = size
        self.digest = digest
        partial = file.path
        state = Mutex(State(file: consume file))
    }

    deinit { cancel() }

    /// Adds what came in.
    /// - Throws: ``XFTPStoreError``, answers `SIZE` where it is more than the chunk has, `FILE_IO`, `QUOTA` when the disk
    ///   is full. The upload is over then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            guard state.file != nil else { throw Self.over }
            state.count += Int64(bytes.count)
            guard state.count <= Int64(size) else {
                cancel(&state)
                throw wrongSize
            }
            unsafe state.hash?.update(bytes)
            do {
                try unsafe state.file?.write(bytes)
            } catch {
                cancel(&state)
                throw XFTPStoreError(error)
            }
        }
    }

    /// Keeps the chunk: it is durable when this returns.
    ///
    /// Where another upload of the same chunk was faster, that one stands.
    ///
    /// - Throws: ``XFTPStoreError``, answers `SIZE`, `DIGEST`, `FILE_IO`, `QUOTA`, `AUTH` when the chunk was deleted
    ///   meanwhile, `BLOCKED`.
    package func finish() throws { try state.withLock { try finish(&$0) } }

    private func finish(_ state: inout State) throws {
        guard let file = state.file.take(), let hash = state.hash.take() else { throw Self.over }
        var isKept = false
        defer { if !isKept { release() } }
        guard state.count == Int64(size) else { throw wrongSize }
        guard hash.finalize() == digest else {
            throw XFTPStoreError(
                .damaged,
                "the chunk's digest does not match the announced one. The chunk was discarded.",
                answer: .digest)
        }
        do {
            try file.synchronize()
            try file.close()
        } catch {
            throw XFTPStoreError(error)
        }
        isKept = try store.publish(partial, as: id)
    }

    /// Drops what came in. Nothing happens after ``finish()``.
    package func cancel() { state.withLock { cancel(&$0) } }

    private func cancel(_ state: inout State) {
        guard state.file.take() != nil else { return }
        state.hash = nil
        release()
    }

    private func release() {
        // What cannot be removed now is removed at the next start.
        try? store.folder.fileSystem.remove(partial)
        store.release(Int64(size))
    }

    private var wrongSize: XFTPStoreError {
        XFTPStoreError(
            .damaged,
            "the chunk does not have the announced \(Count.text(size, "byte")). The chunk was discarded.",
            answer: .size)
    }

    private static var over: XFTPStoreError {
        XFTPStoreError(.failed, "this upload has ended")
    }
}
