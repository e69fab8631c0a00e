import SystemPackage
import ValiseCryptography
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Copies of small files of one repository, in a folder of this user alone.
///
/// Nothing is flushed: what a power cut leaves does not have the digest that is its name, and is removed when it is read.
struct MetadataCache: Sendable {
    private let folder: FilePath
    private let fileSystem: FileSystem

    /// No larger file is kept, or read.
    static let largestFile = 64 << 20

    /// - Throws: ``StorageError``: `denied` for a folder that others may enter, or that is not this user's.
    init(_ folder: FilePath, _ repository: ContentID, _ fileSystem: FileSystem) throws {
        self.folder = folder.appending(repository.text)
        self.fileSystem = fileSystem
        try fileSystem.makeDirectories(folder)
        guard let found = try fileSystem.attributes(of: folder), found.kind == .directory else {
            throw StorageError(
                .general, .unsupported, "the folder of the cache is not a folder", folder.string)
        }
        guard found.owner == geteuid() else {
            throw StorageError(
                .general, .denied, "the folder of the cache belongs to another user", folder.string)
        }
        guard found.permissions.subtracting(.ownerReadWriteExecute).isEmpty else {
            throw StorageError(
                .general, .denied, "the folder of the cache must be accessible only to you", folder.string,
                remedy: .makePrivate(folder, isFolder: true))
        }
    }

    private func path(_ kind: StoredKind, _ id: ContentID) -> FilePath {
        folder.appending(kind.rawValue).appending(id.text)
    }

    /// The content of a file; nil where it is not kept.
    /// - Throws: ``FileError``, `damaged` where it had another content, and is removed.
    func read(_ kind: StoredKind, _ id: ContentID) throws(FileError) -> [UInt8]? {
        let path = path(kind, id)
        guard try fileSystem.exists(path) else { return nil }
        if let content = try? fileSystem.contents(of: path, limit: Self.largestFile),
            SHA256.hash(content) == id.bytes
        {
            return content
        }
        // Whatever it is, a link or an unreadable file too.
        try fileSystem.removeTree(path)
        throw FileError(.damaged, "file of the cache was damaged and is read again from the repository", path)
    }

    /// Keeps a file.
    func write(_ kind: StoredKind, _ id: ContentID, _ content: [UInt8]) throws(FileError) {
        guard content.count <= Self.largestFile else { return }
        let path = path(kind, id)
        try fileSystem.makeDirectories(path.parentFolder)
        let temporary = TemporaryName.beside(path)
        do throws(FileError) {
            var file = try fileSystem.create(temporary)
            try file.write(content)
            try file.close()
            try fileSystem.rename(temporary, to: path)
        } catch {
            try? fileSystem.remove(temporary)
            throw error.named(path, insteadOf: temporary)
        }
    }

    /// Removes a file that may be missing.
    func remove(_ kind: StoredKind, _ id: ContentID) throws(FileError) {
        try removeFile(path(kind, id))
    }

    private func removeFile(_ path: FilePath) throws(FileError) {
        do throws(FileError) {
            try fileSystem.remove(path)
        } catch  where error.code == .notFound {
            // Another process was quicker.
        }
    }

    /// Removes all other files of a kind, and what killed runs left.
    ///
    /// - Parameter now: in seconds since 1970.
    func keepOnly(_ ids: Set<ContentID>, _ kind: StoredKind, now: Int64) throws(FileError) {
        let folder = folder.appending(kind.rawValue)
        guard try fileSystem.exists(folder) else { return }
        for entry in try fileSystem.list(folder) where entry.kind != .directory {
            guard let name = entry.name else { continue }
            if let id = ContentID(text: name) {
                if !ids.contains(id) { try removeFile(folder.appending(name)) }
            } else if TemporaryName.matches(name) {
                let path = folder.appending(name)
                guard let found = try fileSystem.attributes(of: path),
                    TemporaryName.isOlder(found, than: FolderStore.leftoverAge, now: now)
                else { continue }
                try removeFile(path)
            }
        }
    }
}
