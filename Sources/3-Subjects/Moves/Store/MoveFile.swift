import Synchronization
import SystemPackage
import ValiseEncoding
import ValiseFiles

/// The record of one move, of which this run is the only user. Each change is durable before it is believed.
final class MoveFile<Move: StoredMove>: Sendable {
    private let folder: FilePath
    private let lock: DirectoryLock
    private let known: Mutex<MoveRecord<Move>>
    private let fileSystem: FileSystem
    private let now: @Sendable () -> Int64
    /// Is told of states that were entered; tests stop a run here, as a kill would.
    private let entered: @Sendable (MoveStep) throws -> Void

    /// - Parameter lock: on the folder.
    init(
        _ folder: FilePath, _ record: MoveRecord<Move>, lock: DirectoryLock, fileSystem: FileSystem,
        now: @escaping @Sendable () -> Int64, entered: @escaping @Sendable (MoveStep) throws -> Void
    ) {
        self.folder = folder
        self.lock = lock
        self.fileSystem = fileSystem
        self.now = now
        self.entered = entered
        known = Mutex(record)
    }

    var id: String { known.withLock { $0.header.id } }
    var created: Int64 { known.withLock { $0.header.created } }
    var move: Move { known.withLock { $0.move } }
    var state: Move.State { move.state }
    /// Where an image of the link may be kept. It is as secret, and goes when the move leaves the state that it was made in.
    var linkImage: FilePath { folder.appending(MoveStore.linkImageName) }

    /// Notes something.
    /// - Throws: ``FileError``: the record is the previous one then; whatever `change` throws.
    func update(_ change: (inout Move) throws -> Void) throws {
        try known.withLock { known in
            var record = known
            try change(&record.move)
            record.header.changed = now()
            try Self.write(record, in: folder, fileSystem)
            known = record
        }
    }

    /// Goes to another state, and notes something with that.
    /// - Throws: ``DeviceMigrationError`` with `wrongState`; as ``update(_:)``.
    func enter(_ state: Move.State, _ change: (inout Move) throws -> Void = { _ in }) throws {
        try update { move in
            move.state = try move.state.moved(to: state)
            try change(&move)
        }
        if try fileSystem.exists(linkImage) { try fileSystem.remove(linkImage) }
        try entered(state.step)
    }

    /// The same where a run that was killed may have been there already.
    func enterAgain(_ state: Move.State, _ change: (inout Move) throws -> Void = { _ in }) throws {
        if self.state == state {
            try update(change)
        } else {
            try enter(state, change)
        }
    }

    /// Removes the record.
    func remove() throws { try MoveStore.remove(folder, fileSystem) }

    static func write(_ record: MoveRecord<Move>, in folder: FilePath, _ fileSystem: FileSystem) throws {
        try fileSystem.replace(
            folder.appending(MoveStore.recordName), with: try JSONText.encodeBytes(record))
    }
}
