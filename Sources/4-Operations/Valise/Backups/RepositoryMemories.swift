import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
package import ValiseStorage

/// The records of all repositories of a user.
package struct RepositoryMemories: Sendable {
    private let folder: FilePath?

    /// In bytes; a million snapshots are more than anybody has.
    private static let largest = 80 << 20

    /// - Parameter folders: without a folder for states nothing is remembered.
    package init(_ folders: ValiseFolders) { folder = folders.state?.appending("backups") }

    /// All that can be read.
    /// - Throws: `FileError`.
    package func all() throws -> [RepositoryMemory] {
        guard let folder, try FileSystem().exists(folder) else { return [] }
        return try FileSystem().list(folder).compactMap { entry in
            guard let name = entry.name, name.hasSuffix(Self.ending) else { return nil }
            return try? Self.read(folder.appending(name))
        }.sorted { $0.place < $1.place }
    }

    /// What is remembered of a repository; nil for nothing.
    package func memory(of repository: ContentID) throws -> RepositoryMemory? {
        guard let path = path(of: repository), try FileSystem().exists(path) else { return nil }
        return try? Self.read(path)
    }

    /// Changes what is remembered. Several programs may do so at once.
    /// - Throws: `FileError`.
    package func update(
        _ repository: ContentID, at place: RepositoryPlace, _ change: (inout RepositoryMemory) -> Void
    ) throws {
        try edit(repository) { memory in
            var changed = memory ?? RepositoryMemory(repository: repository.text, place: place.text)
            changed.place = place.absoluteText
            change(&changed)
            memory = changed
        }
    }

    /// Snapshots that this user is about to remove or to replace: that they are gone is no alarm later. To be called before they
    /// are removed; those that stay are remembered again at the next look.
    /// - Throws: `FileError`.
    package func forget(_ repository: ContentID, _ snapshots: some Collection<ContentID>) throws {
        try edit(repository) { memory in
            for snapshot in snapshots { memory?.snapshots.remove(snapshot.text) }
        }
    }

    private func edit(_ repository: ContentID, _ change: (inout RepositoryMemory?) -> Void) throws {
        guard let folder, let path = path(of: repository) else { return }
        try FileSystem().makeDirectories(folder)
        // A machine that cannot write down what it saw has lost nothing.
        let lock = try DirectoryLock.take(folder, .exclusive, patience: .seconds(10))
        defer { extendLifetime(lock) }
        let before = try memory(of: repository)
        var memory = before
        change(&memory)
        guard let memory, memory != before else { return }
        try FileSystem().replace(path, with: JSONText.encodeBytes(memory))
    }

    private static let ending = ".json"

    private func path(of repository: ContentID) -> FilePath? {
        folder?.appending(repository.text + Self.ending)
    }

    private static func read(_ path: FilePath) throws -> RepositoryMemory {
        try JSONText.decode(RepositoryMemory.self, from: FileSystem().contents(of: path, limit: largest))
    }
}
