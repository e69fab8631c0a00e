import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// A private folder into which an account is restored for a drill, or what is in a store is fetched to be read. It goes with this
/// object, and where the process is killed, with the next one of the user.
final class PrivateFolder: Sendable {
    let path: FilePath
    private let lock: DirectoryLock

    private static let lead = "valise-private-"
    private static let memory: FilePath = "/dev/shm"
    /// So much is left to everybody else, in bytes.
    private static let margin: Int64 = 64 << 20
    private static let mostTries = 10

    /// Where they are, in this order: in memory, on a disk.
    static func places(_ folders: ValiseFolders) -> [FilePath] {
        [memory, folders.temporary ?? "/tmp"]
    }

    /// Makes one where there is space.
    /// - Parameter size: what will be in it, in bytes.
    /// - Returns: nil where there is no space.
    /// - Throws: `FileError`.
    static func make(size: Int64, in places: [FilePath]) throws -> PrivateFolder? {
        let fileSystem = FileSystem()
        for place in places where try fileSystem.isDirectory(place) {
            let free = try fileSystem.freeSpace(at: place) - margin
            // What is in memory is not there for programs.
            guard size <= (place == memory ? free / 2 : free) else { continue }
            return try make(in: place)
        }
        return nil
    }

    private init(_ path: FilePath, _ lock: DirectoryLock) {
        self.path = path
        self.lock = lock
    }

    private static func make(in place: FilePath) throws -> PrivateFolder {
        for _ in 0..<mostTries {
            let path = place.appending(ownLead + String(UInt64.random(in: 0 ... .max), radix: 36))
            try FileSystem().makeDirectory(path)
            // Another program may take it for a leftover, and remove it, as long as it is not locked.
            guard let lock = try? DirectoryLock(path, .exclusive), try FileSystem().exists(path) else {
                continue
            }
            return PrivateFolder(path, lock)
        }
        throw FileError(.inUse, "cannot lock a new folder", place)
    }

    deinit { try? FileSystem().removeTree(path) }

    private static var ownLead: String { "\(lead)\(ProcessIdentity.user)-" }

    /// Removes what programs of this user left that did not end well.
    static func removeLeftovers(in places: [FilePath]) {
        let fileSystem = FileSystem()
        for place in places {
            for entry in (try? fileSystem.list(place)) ?? [] where entry.kind == .directory {
                guard let name = entry.name, name.hasPrefix(ownLead) else { continue }
                let path = place.appending(name)
                guard let found = try? fileSystem.attributes(of: path), found.kind == .directory,
                    found.owner == ProcessIdentity.user, let lock = try? DirectoryLock(path, .exclusive)
                else { continue }
                try? fileSystem.removeTree(path)
                extendLifetime(lock)
            }
        }
    }
}
