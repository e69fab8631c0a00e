import SystemPackage
import ValiseFailures
import ValiseFiles

/// A folder of a cache, which is locked as long as its program is alive.
final class CacheFolder: Sendable {
    let path: FilePath
    private let lock: DirectoryLock
    private let fileSystem: FileSystem

    private static let prefix = "valise-cache-"
    private static let attempts = 8

    /// Removes what killed programs left, and makes a folder.
    /// - Throws: `FileError`.
    init(in parent: FilePath, _ fileSystem: FileSystem) throws {
        self.fileSystem = fileSystem
        try fileSystem.makeDirectories(parent)
        Self.removeLeftovers(in: parent, fileSystem)
        (path, lock) = try Self.make(in: parent, fileSystem)
    }

    deinit { remove() }

    private static func make(
        in parent: FilePath, _ fileSystem: FileSystem
    ) throws -> (path: FilePath, lock: DirectoryLock) {
        for _ in 0..<attempts {
            let path = parent.appending(prefix + String(UInt64.random(in: .min ... .max), radix: 36))
            try fileSystem.makeDirectory(path)
            // Another program that looks for leftovers may have it, and remove it.
            if let lock = try? DirectoryLock(path, .exclusive), try fileSystem.exists(path) {
                return (path, lock)
            }
        }
        throw FileError(.inUse, "cannot make a folder for a cache: another program removes it", parent)
    }

    private static func removeLeftovers(in parent: FilePath, _ fileSystem: FileSystem) {
        // Whoever cannot remove them now leaves them to the next one: nobody can read them.
        for entry in (try? fileSystem.list(parent)) ?? [] where entry.kind == .directory {
            guard let name = entry.name, name.hasPrefix(prefix) else { continue }
            let path = parent.appending(name)
            guard let lock = try? DirectoryLock(path, .exclusive) else { continue }
            withExtendedLifetime(lock) { try? fileSystem.removeTree(path) }
        }
    }

    /// The file of a number.
    func file(_ number: UInt64) -> FilePath { path.appending(String(number, radix: 36)) }

    /// Removes all that is in it, and itself.
    func remove() { try? fileSystem.removeTree(path) }
}
