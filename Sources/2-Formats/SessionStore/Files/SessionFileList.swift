import SystemPackage
import ValiseFiles

/// Collects what is kept of a store.
struct SessionFileList {
    private let kind: SessionKind
    private let folder: FilePath
    private let fileSystem: FileSystem
    private(set) var files: [SessionFiles.File] = []
    private(set) var leftOut: [String] = []
    private(set) var attachments: Int64 = 0

    /// Neither program makes so many folders within each other.
    private static let deepest = 24
    /// The account's part of a profile.
    private static let profile = ["attachments.noindex", "config.json", "sql"]

    init(_ kind: SessionKind, _ folder: FilePath, _ fileSystem: FileSystem) {
        (self.kind, self.folder, self.fileSystem) = (kind, folder, fileSystem)
    }

    /// Adds the database and what is beside it, as far as it was copied.
    /// - Throws: `FileError`.
    mutating func add(databaseCopy copy: FilePath) throws {
        for suffix in [""] + DatabaseSnapshot.sides {
            let name = kind.database + suffix
            guard let copied = try fileSystem.attributes(of: copy.appendingSuffix(suffix)) else { continue }
            let own = try fileSystem.attributes(of: folder.pushing(FilePath(name)))
            files.append(
                SessionFiles.File(
                    name: name, path: copy.appendingSuffix(suffix), attributes: own ?? copied,
                    size: copied.size, isOfDatabase: true))
        }
    }

    /// Adds all other files.
    /// - Throws: `FileError`; ``SessionStoreError`` with `unsupported` for too many folders within each other.
    mutating func addOthers() throws {
        for entry in try fileSystem.list(folder) {
            guard kind == .phone || entry.name.map(Self.profile.contains) == true else { continue }
            try add(entry, in: folder, "", depth: 0)
        }
    }

    private mutating func add(
        _ entry: DirectoryEntry, in parent: FilePath, _ lead: String, depth: Int
    ) throws {
        guard let name = entry.name, let component = FilePath.Component(bytes: entry.nameBytes),
            let (path, kind) = try followed(entry, parent.appending(component), depth),
            kind == .regular || kind == .directory
        else { return leftOut.append(lead + String(decoding: entry.nameBytes, as: UTF8.self)) }
        if kind == .directory {
            guard depth < Self.deepest else {
                throw SessionStoreError(.unsupported, "too many folders within each other", path.string)
            }
            for inner in try fileSystem.list(path) {
                try add(inner, in: path, "\(lead)\(name)/", depth: depth + 1)
            }
        } else {
            try addFile(lead + name, path)
        }
    }

    /// Attachments may be on another disk: a link in place of their folder is followed, and no other.
    private func followed(
        _ entry: DirectoryEntry, _ path: FilePath, _ depth: Int
    ) throws(FileError) -> (path: FilePath, kind: FileKind)? {
        guard entry.kind == .symbolicLink, depth == 0, entry.name == kind.attachments else {
            return (path, entry.kind)
        }
        return try fileSystem.isDirectory(path) ? (fileSystem.resolve(path), .directory) : nil
    }

    private mutating func addFile(_ name: String, _ path: FilePath) throws(FileError) {
        let isOfDatabase = ([""] + DatabaseSnapshot.sides + [DatabaseSnapshot.index]).contains {
            name == kind.database + $0
        }
        // What is gone by now is none of the account's.
        guard !isOfDatabase, let found = try fileSystem.attributes(of: path) else { return }
        if name.utf8.starts(with: "\(kind.attachments)/".utf8) { attachments += 1 }
        files.append(
            SessionFiles.File(
                name: name, path: path, attributes: found, size: found.size, isOfDatabase: false))
    }
}
