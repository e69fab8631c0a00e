import Synchronization
import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// A body that comes into a file without a name, and is sent to a storage server when it is complete.
final class IncomingObject: IncomingBody {
    private enum Stage {
        case writing
        case finished
        case published
        case over
    }

    /// Whether the server has the object.
    private enum Presence {
        case absent
        case stored
        /// The request got no answer: it may be carried out at any time, and after any removal.
        case unknown
    }

    private struct State: ~Copyable, Sendable {
        var stage = Stage.writing
        var presence = Presence.absent
        var file: OpenFile?
        var check: BodyCheck?
    }

    private let objects: ChunkObjects
    private let name: BodyName
    private let digest: [UInt8]
    private let state: Mutex<State>

    init(
        _ objects: ChunkObjects, _ name: BodyName, size: UInt32, digest: [UInt8], _ file: consuming OpenFile
    ) {
        self.objects = objects
        self.name = name
        self.digest = digest
        state = Mutex(State(file: consume file, check: BodyCheck(size: size, digest: digest)))
    }

    deinit {
        state.withLock { state in
            // One that is published may be named by records; for one that is over it was tried.
            if state.stage != .published, state.stage != .over { try? drop(&state) }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            guard state.stage == .writing else { throw XFTPStoreError.endedUpload }
            do {
                try unsafe state.check?.add(bytes)
                try ChunkObjects.spooling { () throws(FileError) in try unsafe state.file?.write(bytes) }
            } catch {
                try? drop(&state)
                throw error
            }
        }
    }

    func finish() throws {
        try state.withLock { state in
            guard state.stage == .writing, let file = state.file.take(), let check = state.check.take()
            else { throw XFTPStoreError.endedUpload }
            do {
                try check.finish()
                try send(SentSource(try ChunkObjects.source(file)), &state)
                state.stage = .finished
            } catch {
                state.stage = .over
                throw error
            }
        }
    }

    private func send(_ source: SentSource, _ state: inout State) throws {
        do {
            try objects.store(source, digest: digest, as: name)
            state.presence = .stored
        } catch {
            // No server stores an object of which it has not got the last byte, or which it has refused.
            let isAbsent = !source.wasReadToEnd || (error as? StorageError)?.isRefusal == true
            state.presence = isAbsent ? .absent : .unknown
            throw XFTPStoreError(storage: error)
        }
    }

    /// The object has its name already, which nobody knows before the records say that it is here.
    func publish() throws {
        try state.withLock { state in
            guard state.stage == .finished else { throw XFTPStoreError.endedUpload }
            state.stage = .published
        }
    }

    func cancel() throws { try state.withLock { try drop(&$0) } }

    private func drop(_ state: inout State) throws {
        state.stage = .over
        state.file = nil
        state.check = nil
        switch state.presence {
        case .absent: break
        case .stored:
            try objects.remove(name)
            state.presence = .absent
        case .unknown:
            throw XFTPStoreError.unavailable(
                "the storage server may still store a chunk that it was sent",
                subject: objects.location(of: name))
        }
    }
}

/// What is sent, and whether all of it was.
private final class SentSource: ByteSource {
    private let source: FileSource
    private let isRead = Atomic(false)

    init(_ source: FileSource) { self.source = source }

    var size: Int64 { source.size }
    var path: FilePath { source.path }
    var wasReadToEnd: Bool { isRead.load(ordering: .acquiring) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try unsafe source.read(into: buffer, at: offset)
        if offset + Int64(count) >= size { isRead.store(true, ordering: .releasing) }
        return count
    }
}
