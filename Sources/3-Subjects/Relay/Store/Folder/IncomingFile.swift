import Synchronization
import SystemPackage
import ValiseFailures
import ValiseFiles

/// A body that is written to a file of its own, which gets the body's name when it is complete.
final class IncomingFile: IncomingBody {
    private enum Stage {
        case writing
        case finished
        case published
        case over
    }

    private struct State: ~Copyable, Sendable {
        var stage = Stage.writing
        var file: OpenFile?
        var check: BodyCheck?
    }

    private let folder: ChunkFolder
    private let name: BodyName
    private let partial: FilePath
    private let state: Mutex<State>

    init(
        _ folder: ChunkFolder, _ name: BodyName, size: UInt32, digest: [UInt8], _ file: consuming OpenFile
    ) {
        self.folder = folder
        self.name = name
        partial = file.path
        state = Mutex(State(file: consume file, check: BodyCheck(size: size, digest: digest)))
    }

    deinit {
        state.withLock { state in
            // One that is published may be named by records.
            if state.stage != .published { drop(&state) }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            guard state.stage == .writing else { throw XFTPStoreError.endedUpload }
            do {
                try unsafe state.check?.add(bytes)
                try unsafe state.file?.write(bytes)
            } catch {
                drop(&state)
                throw XFTPStoreError(error)
            }
        }
    }

    func finish() throws {
        try state.withLock { state in
            guard state.stage == .writing, let file = state.file.take(), let check = state.check.take()
            else { throw XFTPStoreError.endedUpload }
            do {
                try check.finish()
                try file.synchronize()
                try file.close()
                state.stage = .finished
            } catch {
                drop(&state)
                throw XFTPStoreError(error)
            }
        }
    }

    func publish() throws {
        try state.withLock { state in
            guard state.stage == .finished else { throw XFTPStoreError.endedUpload }
            // A rename whose flush fails has happened nevertheless.
            state.stage = .published
            do {
                try folder.publish(partial, as: name)
            } catch {
                throw XFTPStoreError(error)
            }
        }
    }

    /// What cannot be removed now is removed at the next start.
    func cancel() { state.withLock { drop(&$0) } }

    private func drop(_ state: inout State) {
        defer { state.stage = .over }
        state.file = nil
        state.check = nil
        switch state.stage {
        case .writing, .finished: folder.removePartial(partial)
        case .published:
            folder.removePartial(partial)
            try? folder.remove(name)
        case .over: break
        }
    }
}

/// A body that is read from its file, which the system keeps for as long as it is open.
final class OpenedFile: OpenBody {
    private let source: Mutex<FileSource?>

    init(_ source: FileSource) { self.source = Mutex(source) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        guard let source = source.withLock({ $0 }) else {
            throw XFTPStoreError(.failed, "this chunk is not being read any more")
        }
        do {
            try unsafe source.fill(buffer, at: offset)
        } catch {
            throw XFTPStoreError(error)
        }
    }

    func close() { source.withLock { $0 = nil } }
}
