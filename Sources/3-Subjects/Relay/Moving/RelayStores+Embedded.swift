import Synchronization
import SystemPackage
import ValiseFailures
package import ValiseFiles

/// The embedded store of a relay, opened for what somebody is about to do with it.
extension RelayStores {
    /// For reading the records only. Whoever has them alone may remove bodies.
    /// - Parameters:
    ///   - settings: of the relay.
    ///   - bytes: of its records.
    ///   - alone: whether no relay may run meanwhile.
    ///   - fileSystem: where the store is.
    /// - Throws: ``XFTPStoreError``: `inUse` where a relay runs that may not; `notFound` without a log; `unsupported` where the
    ///   settings have none.
    package static func reading(
        _ settings: ChunkStoreSettings, _ bytes: any ChunkBytes, alone: Bool = false,
        fileSystem: FileSystem = FileSystem()
    ) throws -> RelayStores {
        do {
            let path = try log(settings)
            guard try fileSystem.exists(path) else {
                throw XFTPStoreError(.notFound, "no store log", subject: path.string)
            }
            let locks = Mutex(alone ? try ChunkStore.lock(settings, bytes, fileSystem) : [])
            let snapshot = try EmbeddedSnapshot(path, fileSystem: fileSystem)
            return RelayStores(snapshot, bytes) {
                locks.withLock { $0 = [] }
            }
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// New records over bodies that stay, see ``StayingBytes``. By nobody else meanwhile.
    /// - Parameters:
    ///   - settings: of the relay.
    ///   - bytes: whose names are those that the previous records gave.
    ///   - fileSystem: where the log is.
    /// - Throws: ``XFTPStoreError``: `inUse` where a relay runs; `unsupported` where the settings have no log.
    package static func takingOver(
        _ settings: ChunkStoreSettings, _ bytes: any ChunkBytes, fileSystem: FileSystem = FileSystem()
    ) throws -> RelayStores {
        do {
            _ = try log(settings)
            let staying = StayingBytes(bytes)
            let locks = try ChunkStore.lock(settings, bytes, fileSystem)
            return RelayStores(
                try EmbeddedRecords(settings, staying, locks: locks, fileSystem: fileSystem), staying)
        } catch {
            throw XFTPStoreError(error)
        }
    }

    private static func log(_ settings: ChunkStoreSettings) throws(XFTPStoreError) -> FilePath {
        guard let log = settings.log else {
            throw XFTPStoreError(
                .unsupported, "the relay keeps no log, so its records end with its process",
                subject: settings.folder.string)
        }
        return log
    }
}
