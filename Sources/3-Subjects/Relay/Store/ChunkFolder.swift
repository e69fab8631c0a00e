import Synchronization
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

/// Something that happened, for whoever asks.
private final class SharedFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// The bodies of chunks: one file each, named for the sender's name.
final class ChunkFolder: Sendable {
    let path: FilePath
    let fileSystem: FileSystem
    private let names: GroupCommit<Void>
    /// A flush of the folder failed: the system may have thrown away what was not flushed, and says so only once.
    private let isDoubtful: SharedFlag
    private let partials = Atomic(0)

    init(_ path: FilePath, fileSystem: FileSystem) {
        self.path = path
        self.fileSystem = fileSystem
        let isDoubtful = SharedFlag()
        self.isDoubtful = isDoubtful
        names = GroupCommit { _ in
            // Whoever waited for the flush that failed has names that it may have thrown away.
            if isDoubtful.isSet { throw Self.doubt(path) }
            do throws(FileError) {
                try fileSystem.synchronizeDirectory(path)
            } catch {
                // The others are failures to open it.
                if [.ioError, .noSpace, .diskQuotaExceeded].contains(error.errno) { isDoubtful.set() }
                throw error
            }
        }
    }

    /// - Throws: ``XFTPStoreError`` after a flush that failed: no later one would prove anything.
    private func checkNames() throws(XFTPStoreError) {
        if isDoubtful.isSet { throw Self.doubt(path) }
    }

    private static func doubt(_ path: FilePath) -> XFTPStoreError {
        XFTPStoreError(
            .failed,
            "the disk failed to store chunk IDs. No new chunks are accepted until the relay is restarted. "
                + "Check the system log first.", subject: path.string, answer: .fileIO)
    }

    func body(_ id: StoredID) -> FilePath { path.appending(Base64URL.encode(id.bytes)) }

    /// A file for a body that is coming in. Several may come for one chunk.
    func createPartial(_ id: StoredID) throws(FileError) -> OpenFile {
        let number = partials.add(1, ordering: .relaxed).newValue
        return try fileSystem.create(body(id).appendingSuffix(".\(number)\(PendingFile.suffix)"))
    }

    /// Gives a body that is durable its name, durably.
    func publish(_ partial: FilePath, as id: StoredID) throws {
        try checkNames()
        try fileSystem.rename(partial, to: body(id))
        try names.commit(())
    }

    /// Removes a body. That it has gone is not durable yet.
    func remove(_ id: StoredID) throws(FileError) {
        do throws(FileError) {
            try fileSystem.remove(body(id))
        } catch  where error.code == .notFound {
            return
        }
    }

    /// What has been removed stays removed.
    func synchronize() throws { try names.commit(()) }

    // MARK: Names

    /// What a name in the folder is of.
    enum Name: Equatable {
        case body(StoredID)
        /// What an interrupted upload left.
        case partial
        case foreign
    }

    static func name(_ bytes: [UInt8]) -> Name {
        var text = String(decoding: bytes, as: UTF8.self)[...]
        let isPartial = text.hasSuffix(PendingFile.suffix)
        if isPartial { text = text.prefix { $0 != "." } }
        guard let bytes = Base64URL.decode(text), let id = StoredID(bytes), Base64URL.encode(bytes) == text
        else { return .foreign }
        return isPartial ? .partial : .body(id)
    }
}
