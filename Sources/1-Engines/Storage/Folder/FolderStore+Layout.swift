package import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Where files are, and what may be there.
extension FolderStore {
    /// The path of a file, which may be missing.
    package func path(of name: StoredName) -> FilePath { folder.appending(name.description) }

    /// The folder that a file is in.
    func folder(of name: StoredName) -> FilePath { foldersDown(to: name).last ?? folder }

    /// The folders on the way from the repository to a file, without the repository's own.
    func foldersDown(to name: StoredName) -> [FilePath] {
        switch name {
        case .config: []
        case .file(.data, let id):
            [folder.appending(StoredKind.data.rawValue), packFolder(String(id.text.prefix(2)))]
        case .file(let kind, _): [folder.appending(kind.rawValue)]
        }
    }

    func packFolder(_ digits: String) -> FilePath {
        folder.appending(StoredKind.data.rawValue).appending(digits)
    }

    /// The two digits of all folders of packs.
    static var packFolderDigits: [String] { (0...255).map { Hexadecimal.encode([UInt8($0)]) } }

    /// The folders that files of a kind are in, as far as they are there.
    func folders(of kind: StoredKind) throws(FileError) -> [FilePath] {
        let top = folder.appending(kind.rawValue)
        guard try isFolder(top) else { return [] }
        guard kind == .data else { return [top] }
        let digits = Set(Self.packFolderDigits)
        var folders: [FilePath] = []
        for name in try entries(of: top, { digits.contains($0) ? $0 : nil }).sorted() {
            let folder = packFolder(name)
            if try isFolder(folder) { folders.append(folder) }
        }
        return folders
    }

    /// What the names in a folder stand for. A folder that is not there has none.
    ///
    /// - Parameter meaning: nil for foreign names, of which there may be any number: they are not kept.
    func entries<Entry>(
        of folder: FilePath, _ meaning: (String) -> Entry?
    ) throws(FileError) -> [Entry] {
        var entries: [Entry] = []
        do throws(FileError) {
            try fileSystem.forEachEntry(of: folder) { entry in
                // Names that are not UTF-8 are none of ours.
                if let name = entry.name, let found = meaning(name) { entries.append(found) }
            }
        } catch  where error.code == .notFound {
            return []
        }
        return entries
    }

    // MARK: Checking

    /// The folder of the repository itself: without it a disk is not mounted rather than a repository empty.
    func checkRepository() throws(FileError) {
        guard try fileSystem.isDirectory(folder) else { throw FileError.noFolder(folder) }
    }

    /// Whether all folders on the way to a file are there.
    func hasFolders(of name: StoredName) throws(FileError) -> Bool {
        for folder in foldersDown(to: name) {
            guard try isFolder(folder) else { return false }
        }
        return true
    }

    /// Whether a folder is there.
    /// - Throws: ``FileError``: `unsupported` for anything else, links to folders too.
    func isFolder(_ path: FilePath) throws(FileError) -> Bool {
        switch try fileSystem.attributes(of: path)?.kind {
        case nil: return false
        case .directory: return true
        case .symbolicLink:
            throw FileError(.unsupported, "is a symbolic link instead of a folder of the repository", path)
        case .regular, .special: throw FileError(.unsupported, "not a folder", path)
        }
    }

    /// - Throws: ``FileError``: `unsupported` for anything but a file.
    func check(_ found: FileAttributes, _ path: FilePath) throws(FileError) {
        switch found.kind {
        case .regular: return
        case .directory: throw FileError(.unsupported, "is a folder, not a file", path)
        case .symbolicLink:
            throw FileError(.unsupported, "is a symbolic link instead of a file of the repository", path)
        case .special: throw FileError(.unsupported, "not a regular file", path)
        }
    }
}
