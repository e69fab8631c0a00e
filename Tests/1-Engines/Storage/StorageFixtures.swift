import FaultInjection
import StoreContract
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// What a store refuses; nil where nothing was thrown.
func storageFailure(_ body: () throws -> Void) -> StorageError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StorageError
    }
}

/// The name that a content has in a folder.
func stored(_ kind: StoredKind, _ content: [UInt8]) -> StoredName { BlobStoreContract.name(kind, content) }

/// The digest of a content.
func digest(_ content: [UInt8]) throws -> ContentID { try #require(ContentID(SHA256.hash(content))) }

/// A clock that only sleeping moves.
final class StoppedClock: Sendable {
    private struct State {
        var now = ContinuousClock.now
        var slept = Duration.zero
        var calendarTime: Int64 = 2_000_000_000
    }

    private let state = Mutex(State())

    /// How long all have waited.
    var slept: Duration { state.withLock { $0.slept } }

    var clock: StorageClock {
        StorageClock(
            now: { self.state.withLock { $0.now } },
            calendarTime: { self.state.withLock { $0.calendarTime } },
            sleep: { self.pass($0, asleep: true) })
    }

    func pass(_ duration: Duration, asleep: Bool = false) {
        state.withLock { state in
            state.now += duration
            if asleep { state.slept += duration }
        }
    }
}

/// A folder with a repository's folders in it.
struct StoredFolder {
    let folder: TemporaryFolder
    let store: FolderStore

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        store = FolderStore(folder.appending("repository"))
        try store.create()
    }

    var path: FilePath { store.folder }

    /// The same repository, with a file system of its own.
    func reopened(_ interposer: (any FileInterposer)? = nil) -> FolderStore {
        FolderStore(path, fileSystem: FileSystem(interposer: interposer))
    }
}

/// Everything that happens to files, in its order.
final class OperationRecorder: FileInterposer {
    private let recorded = Mutex<[FileOperation]>([])

    var operations: [FileOperation] { recorded.withLock { $0 } }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        recorded.withLock { $0.append(operation) }
        return .proceed
    }
}
