import Synchronization
package import SystemPackage
import ValiseConcurrency
import ValiseFailures
package import ValiseFiles

/// A store in a folder of this machine, in restic's layout.
///
/// Source: the repository format of restic, sections "Layout" and "Storage back ends" of the fact sheet. A file is written under
/// a temporary name, flushed, and renamed, so that a crash leaves it complete or not at all. Links and whatever else is no
/// file are refused: with their content, a repository would get or lose what nobody knows to be a part of it.
package final class FolderStore: BlobStore {
    package let folder: FilePath
    let fileSystem: FileSystem
    /// The folders of which every name that is there is durable, as far as this store has seen to it: a run that was killed
    /// may have left one whose name is not.
    let durableFolders = Mutex<Set<FilePath>>([])
    /// What was taken over and is not settled, the oldest first.
    let unsettled = Mutex<[WrittenBehind]>([])
    /// What large files are written from, and nobody uses now: memory that is new for each of them has to be cleared.
    let freeBuffers = Mutex<[TransferBuffer]>([])

    /// More is not read into memory at once: a file of a stranger may claim any size.
    private static let mostBytesAtOnce: Int64 = 1 << 30

    /// - Parameters:
    ///   - folder: of the repository. A link to it is followed.
    ///   - fileSystem: where it is.
    package init(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    package var location: String { folder.string }

    // MARK: Reading

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        try settle(name)
        return try attempt { () throws(FileError) in try read(name, range) }
    }

    private func read(_ name: StoredName, _ range: Range<Int64>?) throws(FileError) -> [UInt8] {
        let path = path(of: name)
        guard try hasFolders(of: name) else { throw missing(path) }
        let file = try fileSystem.openForReading(path)
        let size = try file.size()
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw FileError(.damaged, "file is shorter than expected", path)
        }
        let length = range.upperBound - range.lowerBound
        guard length <= Self.mostBytesAtOnce, let count = Int(exactly: length) else {
            throw FileError(.unsupported, "file is too large to be read at once", path)
        }
        let bytes = try file.bytes(at: range.lowerBound, count: count)
        guard bytes.count == count else { throw FileError(.damaged, "file shrank while being read", path) }
        return bytes
    }

    package func size(of name: StoredName) throws -> Int64 {
        try settle(name)
        return try attempt { () throws(FileError) in
            let path = path(of: name)
            guard try hasFolders(of: name), let found = try fileSystem.attributes(of: path) else {
                throw missing(path)
            }
            try check(found, path)
            return found.size
        }
    }

    private func missing(_ path: FilePath) -> FileError {
        FileError(cannot: "read", path, .noSuchFileOrDirectory)
    }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        try settleAll(kind)
        let folders = try attempt { () throws(FileError) in
            try checkRepository()
            return try self.folders(of: kind)
        }
        for folder in folders {
            let ids = try attempt { () throws(FileError) in
                try entries(of: folder, ContentID.init(text:))
            }
            for id in ids where self.folder(of: .file(kind, id)) == folder {
                let found = try attempt { () throws(FileError) in try size(ofListed: id, in: folder) }
                // Removed since the folder was read.
                guard let found else { continue }
                try body(id, found)
            }
        }
    }

    private func size(ofListed id: ContentID, in folder: FilePath) throws(FileError) -> Int64? {
        let path = folder.appending(id.text)
        guard let found = try fileSystem.attributes(of: path) else { return nil }
        try check(found, path)
        return found.size
    }

    // MARK: Removing

    package func remove(_ name: StoredName) throws {
        try settle(name)
        try attempt { () throws(FileError) in
            try checkRepository()
            guard try hasFolders(of: name) else { return }
            try unlink(path(of: name))
            switch name {
            // If one of these comes back after a power cut, it is removed again.
            case .file(.data, _), .file(.locks, _): break
            // Packs are removed once the indexes that name them are gone for good.
            case .config, .file: try fileSystem.flushNames(in: folder(of: name))
            }
        }
    }

    /// Removes a file that may be missing.
    func unlink(_ path: FilePath) throws(FileError) {
        guard let found = try fileSystem.attributes(of: path) else { return }
        try check(found, path)
        do throws(FileError) {
            try fileSystem.remove(path)
        } catch  where error.code == .notFound {
            // Another process was quicker.
        }
    }

    /// Translates failures of the file system.
    ///
    /// - Parameter space: bytes that are to be stored.
    func attempt<Value>(
        storing space: Int = 0, _ body: () throws(FileError) -> Value
    ) throws(StorageError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw StorageError(error, storing: space, in: folder)
        }
    }
}
