import Synchronization
import SystemPackage
import ValiseFailures
import ValiseFiles

/// What writers have of their own: temporary files, and the lock.
extension FolderObjectStore {
    private static let stem = "object"

    /// A rename takes no time: who has the lock for so long was stopped.
    private static let patience = Duration.seconds(30)

    // MARK: Temporary files

    /// A path that nobody else has.
    func newTemporary() -> FilePath { TemporaryName.beside(workFolder.appending(Self.stem)) }

    /// Makes the folder for them where it is missing. Where it is not, a run may have been killed: the first writing of a store
    /// removes what was left.
    func prepareWork() throws(FileError) {
        guard try isFolder(workFolder) else { return try makeWorkFolder() }
        if hasLookedForLeftovers.exchange(true, ordering: .relaxed) { return }
        // They are in nobody's way: what can not be removed today may be tomorrow.
        _ = try? removeLeftovers()
    }

    private func makeWorkFolder() throws(FileError) {
        do throws(FileError) {
            try fileSystem.makeDirectory(workFolder)
        } catch {
            // Another process may make the same one.
            guard error.code == .alreadyExists, try isFolder(workFolder) else { throw error }
        }
    }

    /// Removes temporary files that nobody writes any more.
    ///
    /// - Parameter age: younger ones may belong to a run that goes on, on another machine too.
    /// - Returns: how many there were.
    /// - Throws: ``StorageError``
    @discardableResult
    package func removeLeftovers(olderThan age: Duration = FolderStore.leftoverAge) throws -> Int {
        try attempt { () throws(FileError) in
            guard try isFolder(workFolder) else { return 0 }
            var count = 0
            try fileSystem.forEachEntry(of: workFolder) { entry throws(FileError) in
                guard entry.kind == .regular, let name = entry.name,
                    TemporaryName.matches(name, of: Self.stem)
                else { return }
                let path = workFolder.appending(name)
                guard let found = try fileSystem.attributes(of: path),
                    TemporaryName.isOlder(found, than: age, now: now())
                else { return }
                try fileSystem.remove(path)
                count += 1
            }
            return count
        }
    }

    // MARK: The lock

    /// Runs what decides on a write and does it, while no other thread and no other process does.
    func locked<Value: Sendable>(
        _ body: (inout [FilePath: FileIdentity]) throws(FileError) -> Value
    ) throws(FileError) -> Value {
        try durableFolders.withLock { (durable: inout [FilePath: FileIdentity]) throws(FileError) in
            let lock = try DirectoryLock.take(workFolder, .exclusive, patience: Self.patience)
            guard let lock else {
                throw FileError(.inUse, "another process has been writing to the store for too long", folder)
            }
            return try withExtendedLifetime(lock) { () throws(FileError) in try body(&durable) }
        }
    }

    /// Whether a lock that is had is refused to whoever comes second.
    func excludesOthers() throws(FileError) -> Bool {
        try locked { _ throws(FileError) in try DirectoryLock(workFolder, .exclusive) == nil }
    }
}
