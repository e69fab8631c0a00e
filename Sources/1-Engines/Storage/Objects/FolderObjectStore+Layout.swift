import SystemPackage
import ValiseFailures
import ValiseFiles

/// Where objects are, and what may be there.
extension FolderObjectStore {
    /// The folder for files that are being written, and for the lock. No key begins with it.
    package static let workName = ".valise-work"

    var workFolder: FilePath { folder.appending(Self.workName) }

    /// Whether the path of a key would be of our own.
    func isReserved(_ key: ObjectKey) -> Bool {
        key.text.hasSameBytes(as: Self.workName) || key.text.begins(with: Self.workName + "/")
    }

    /// The path of an object, which may be missing.
    func path(of key: ObjectKey) -> FilePath { folder.appending(key.text) }

    /// The folders on the way to an object, without the store's own.
    func foldersDown(to key: ObjectKey) -> [FilePath] {
        var folders: [FilePath] = []
        for name in key.folderNames { folders.append((folders.last ?? folder).appending(name)) }
        return folders
    }

    // MARK: Checking

    /// Without its folder a disk is not mounted rather than a store empty.
    func checkFolder() throws(FileError) {
        guard try fileSystem.isDirectory(folder) else { throw FileError.noFolder(folder) }
    }

    /// The file of an object; nil where there is none. Nothing on the way to it is a link.
    /// - Throws: ``FileError``: `unsupported` for a link or a device.
    func file(of key: ObjectKey) throws(FileError) -> FileAttributes? {
        let path = path(of: key)
        guard !isReserved(key), try hasFolders(of: key), let found = try fileSystem.attributes(of: path)
        else {
            try checkFolder()
            return nil
        }
        switch found.kind {
        case .regular: return found
        case .directory: return nil
        case .symbolicLink: throw link(path)
        case .special: throw FileError(.unsupported, "not a regular file", path)
        }
    }

    /// Whether all folders on the way to an object are there.
    func hasFolders(of key: ObjectKey) throws(FileError) -> Bool {
        for folder in foldersDown(to: key) {
            guard try isFolder(folder) else { return false }
        }
        return true
    }

    /// Whether a folder is there, and nothing else.
    /// - Throws: ``FileError``: `unsupported` for a link, even to a folder.
    func isFolder(_ path: FilePath) throws(FileError) -> Bool {
        let found = try fileSystem.attributes(of: path)
        if found?.kind == .symbolicLink { throw link(path) }
        return found?.kind == .directory
    }

    private func link(_ path: FilePath) -> FileError {
        FileError(.unsupported, "is a symbolic link instead of a file or folder of the store", path)
    }
}

extension ObjectVersion {
    /// Of a file that is never changed once it has its name.
    init(_ file: FileAttributes) {
        let time = "\(file.modificationTime).\(file.modificationNanoseconds)"
        self.init("\(String(file.inode, radix: 16))-\(time)-\(file.size)")
    }
}

extension ObjectAttributes {
    init(_ file: FileAttributes) {
        self.init(size: file.size, version: ObjectVersion(file), modified: file.modificationTime)
    }
}
