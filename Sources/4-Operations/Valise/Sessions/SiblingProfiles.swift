import SystemPackage
import ValiseEncoding
import ValiseFiles
import ValiseSessionStore

/// The profiles of Session Desktop beside a folder: an update may look for its profile in another one than the version before, and
/// all seems lost then.
enum SiblingProfiles {
    /// What profiles are called, alone or before the name of an environment.
    private static let name = "Session"

    /// What is said of a folder without a database that has such profiles beside it; nil where there are none.
    /// - Throws: `FileError`.
    static func error(for path: FilePath) throws -> OperationError? {
        let fileSystem = FileSystem()
        let folder = try fileSystem.exists(path) ? fileSystem.resolve(path) : path
        guard isName(folder.lastComponent?.string) else { return nil }
        let found = try find(beside: folder, fileSystem)
        guard let first = found.first else { return nil }
        let others = found.count > 1 ? ", and \(Count.text(found.count - 1, "other")) beside it" : ""
        return OperationError(
            .notFound, "no database of Session here, but in \(first.string)\(others)", subject: path.string,
            remedy: .nameFolder(first))
    }

    /// Profiles with a database, the one that was used last first.
    private static func find(beside folder: FilePath, _ fileSystem: FileSystem) throws -> [FilePath] {
        let parent = folder.parentFolder
        guard try fileSystem.isDirectory(parent) else { return [] }
        var found: [(path: FilePath, time: Int64)] = []
        for entry in try fileSystem.list(parent) {
            guard let name = entry.name, isName(name) else { continue }
            let path = parent.appending(name)
            guard path != folder, try !GuardFolder.isOne(path, fileSystem),
                case .desktop(let profile)? = try SessionPlace.find(path)
            else { continue }
            let time = try fileSystem.attributes(of: profile.database)?.modificationTime
            found.append((path, time ?? 0))
        }
        return found.sorted { ($0.time, $1.path.string) > ($1.time, $0.path.string) }.map(\.path)
    }

    private static func isName(_ name: String?) -> Bool {
        guard let name else { return false }
        // What a restore kept is no profile that a program uses.
        return (name == Self.name || name.hasPrefix(Self.name + "-")) && !name.contains(SessionSwap.keptInfix)
    }
}
