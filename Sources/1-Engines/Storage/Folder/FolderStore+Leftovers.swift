package import SystemPackage
import ValiseFiles

/// What killed runs leave: files that were not complete.
extension FolderStore {
    /// A temporary file, of our own or of restic.
    package struct Leftover: Sendable, Hashable {
        package let path: FilePath
        /// In bytes.
        package let size: Int64
        /// When it was last written, in seconds since 1970.
        package let modificationTime: Int64
    }

    /// Nobody writes one file for so long.
    package static let leftoverAge = Duration.seconds(24 * 60 * 60)

    /// Temporary files that nobody writes any more, in the order of their paths.
    ///
    /// - Parameters:
    ///   - age: younger ones may belong to a run that goes on, on another machine too.
    ///   - now: in seconds since 1970. What has a later time is left out.
    /// - Throws: ``StorageError``
    package func leftovers(
        olderThan age: Duration = leftoverAge, now: Int64 = StorageClock.systemTime()
    ) throws -> [Leftover] {
        try attempt { () throws(FileError) in
            try checkRepository()
            var found: [Leftover] = []
            for folder in try foldersWithFiles() {
                for name in try entries(of: folder, { TemporaryName.matches($0) ? $0 : nil }) {
                    let path = folder.appending(name)
                    guard let file = try fileSystem.attributes(of: path), file.kind == .regular,
                        TemporaryName.isOlder(file, than: age, now: now)
                    else { continue }
                    found.append(
                        Leftover(path: path, size: file.size, modificationTime: file.modificationTime))
                }
            }
            return found.sorted { $0.path.string < $1.path.string }
        }
    }

    /// Removes such files.
    ///
    /// - Returns: what was removed.
    /// - Throws: ``StorageError``
    @discardableResult
    package func removeLeftovers(
        olderThan age: Duration = leftoverAge, now: Int64 = StorageClock.systemTime()
    ) throws -> [Leftover] {
        let found = try leftovers(olderThan: age, now: now)
        for leftover in found {
            try attempt { () throws(FileError) in try unlink(leftover.path) }
        }
        return found
    }

    private func foldersWithFiles() throws(FileError) -> [FilePath] {
        var all = [folder]
        for kind in StoredKind.allCases { all += try folders(of: kind) }
        return all
    }
}
