import SystemPackage
import ValiseFailures
import ValiseFiles

/// The files of a folder and of the folders in it, in the order of the bytes of their paths: the order of a store's listing.
struct LocalFileWalk {
    /// Something in the folder that is no folder.
    struct Entry {
        /// Relative, with slashes; nil where the bytes are not UTF-8.
        let text: String?
        let path: FilePath
        let kind: FileKind
    }

    private struct Level {
        let folder: FilePath
        /// Relative, with a slash at its end; empty for the folder itself, nil where the bytes are not UTF-8.
        let text: String?
        /// The last one comes first.
        var entries: [DirectoryEntry]
    }

    /// Deeper folders are refused: a path of a store has at most 1,024 bytes.
    private static let mostLevels = 512

    private let fileSystem: FileSystem
    private var levels: [Level] = []

    /// - Throws: `FileError`.
    init(_ folder: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        self.fileSystem = fileSystem
        try enter(folder, "")
    }

    private mutating func enter(_ folder: FilePath, _ text: String?) throws(FileError) {
        guard levels.count < Self.mostLevels else {
            throw FileError(.unsupported, "folders are nested too deeply", folder)
        }
        let entries = try fileSystem.list(folder)
            .map { (key: $0.nameBytes + ($0.kind == .directory ? [UInt8(ascii: "/")] : []), entry: $0) }
            .sorted { $1.key.lexicographicallyPrecedes($0.key) }
            .map(\.entry)
        levels.append(Level(folder: folder, text: text, entries: entries))
    }

    /// The next one, nil at the end.
    /// - Throws: `FileError`.
    mutating func next() throws(FileError) -> Entry? {
        while let level = levels.last {
            guard let found = levels[levels.count - 1].entries.popLast() else {
                levels.removeLast()
                continue
            }
            // What is being written is no file yet.
            guard let component = FilePath.Component(bytes: found.nameBytes), !Self.isTemporary(found) else {
                continue
            }
            let path = level.folder.appending(component)
            let text = level.text.flatMap { above in found.name.map { above + $0 } }
            guard found.kind == .directory else { return Entry(text: text, path: path, kind: found.kind) }
            try enter(path, text.map { $0 + "/" })
        }
        return nil
    }

    private static func isTemporary(_ entry: DirectoryEntry) -> Bool {
        entry.kind == .regular && entry.nameBytes.suffix(suffix.count).elementsEqual(suffix)
    }

    private static let suffix = Array(PendingFile.suffix.utf8)
}
