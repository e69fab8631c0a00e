import SystemPackage
import ValiseFailures
import ValiseFiles

/// Goes through the files below a folder in the order of the bytes of their keys.
///
/// A folder is sorted as if its name had a slash at the end, as the keys below it have. Folders of any size take a limited
/// memory: they are read again where their names do not fit.
struct FolderWalk {
    /// What is left of one folder.
    private struct Level {
        let path: FilePath
        /// Of all keys in it: empty, or with a slash at its end.
        let prefix: String
        /// What names begin with.
        let start: [UInt8]
        /// Only what comes behind this, which may be within one of its folders.
        let after: [UInt8]?
        /// The last name that was taken: where the folder has to be read again, it goes on behind that.
        var done: [UInt8]?
        /// For the names, in bytes.
        let mostBytes: Int
        var names: NameBatch?
    }

    private let fileSystem: FileSystem
    private let isDelimited: Bool
    private var levels: [Level]

    /// For the names of the first folder, in bytes: half a million of digests.
    static let mostBytes = 48 << 20
    /// For the names of each folder in another one half of what that has, but never less.
    private static let leastBytes = 1 << 16

    /// - Parameters:
    ///   - prefix: of all keys in the folder: empty, or with a slash at its end.
    ///   - names: what the names in the folder begin with.
    ///   - isDelimited: whether folders are given, and not what is in them.
    ///   - after: only what comes behind this text.
    ///   - mostBytes: for the names of the first folder.
    init(
        _ fileSystem: FileSystem, _ folder: FilePath, prefix: String, names: String = "",
        isDelimited: Bool = false, after: String? = nil, mostBytes: Int = mostBytes
    ) {
        self.fileSystem = fileSystem
        self.isDelimited = isDelimited
        levels = []
        // What is behind the whole folder leaves nothing of it.
        if let after, !after.begins(with: prefix), !after.comesBefore(prefix) { return }
        let rest = after.flatMap {
            $0.begins(with: prefix) ? Array($0.utf8.dropFirst(prefix.utf8.count)) : nil
        }
        levels = [
            Level(path: folder, prefix: prefix, start: Array(names.utf8), after: rest, mostBytes: mostBytes)
        ]
    }

    /// What comes next; nil at the end.
    mutating func next() throws(FileError) -> ListedObject? {
        while let next = try nextKey() {
            switch next {
            case .folder(let prefix): return .folder(prefix)
            case .object(let key):
                // Its folder is the last one.
                guard let level = levels.last else { continue }
                let name = key.text.dropping(bytes: level.prefix.utf8.count)
                if let found = try fileSystem.attributes(of: level.path.appending(name)),
                    found.kind == .regular
                {
                    return .object(key, ObjectAttributes(found))
                }
            }
        }
        return nil
    }

    /// What comes next, by what its folder says of it alone; nil at the end.
    mutating func nextKey() throws(FileError) -> ListedKey? {
        while let place = levels.indices.last {
            if levels[place].names == nil { try load(place) }
            guard let name = levels[place].names?.popFirst() else {
                if let names = levels[place].names, names.isCut {
                    levels[place].done = names.last
                    levels[place].names = nil
                } else {
                    levels.removeLast()
                }
                continue
            }
            if let found = try take(name, at: place) { return found }
        }
        return nil
    }

    /// Reads the names of a folder.
    private mutating func load(_ place: Int) throws(FileError) {
        let level = levels[place]
        var names = NameBatch(mostBytes: level.mostBytes)
        do throws(FileError) {
            try fileSystem.forEachEntry(of: level.path) { entry throws(FileError) in
                guard let name = listed(entry, in: level) else { return }
                names.add(name)
            }
        } catch  where error.code == .notFound && !level.prefix.isEmpty {
            // Removed meanwhile: what was in it is gone.
        }
        names.sort()
        levels[place].names = names
    }

    /// By what an entry is sorted; nil for what is not listed.
    private func listed(_ entry: DirectoryEntry, in level: Level) -> [UInt8]? {
        let isFolder = entry.kind == .directory
        guard isFolder || entry.kind == .regular else { return nil }
        var name = entry.nameBytes
        if isFolder { name.append(UInt8(ascii: "/")) }
        guard name.starts(with: level.start), !level.prefix.isEmpty || name != Self.workName,
            level.done?.lexicographicallyPrecedes(name) ?? true
        else { return nil }
        guard let after = level.after else { return name }
        // Of a folder, a part may be behind it.
        let isBehind =
            after.lexicographicallyPrecedes(name) || isFolder && !isDelimited && after.starts(with: name)
        return isBehind ? name : nil
    }

    private static let workName = Array((FolderObjectStore.workName + "/").utf8)

    /// What a name stands for; nil where it is no object, or a folder whose own names come next.
    private mutating func take(_ name: ArraySlice<UInt8>, at place: Int) throws(FileError) -> ListedKey? {
        guard let text = String(validating: name, as: UTF8.self) else { return nil }
        guard name.last == UInt8(ascii: "/") else {
            return ObjectKey(listed: levels[place].prefix + text).map { .object($0) }
        }
        return try takeFolder(text, at: place)
    }

    /// - Parameter name: with a slash at its end.
    private mutating func takeFolder(_ name: String, at place: Int) throws(FileError) -> ListedKey? {
        let level = levels[place]
        let prefix = level.prefix + name
        guard ObjectKey(listed: String(prefix.dropLast())) != nil else { return nil }
        let path = level.path.appending(name)
        if isDelimited { return try hasObject(path, prefix) ? .folder(prefix) : nil }
        let rest = level.after.flatMap {
            $0.starts(with: name.utf8) ? Array($0.dropFirst(name.utf8.count)) : nil
        }
        levels.append(
            Level(
                path: path, prefix: prefix, start: [], after: rest,
                mostBytes: max(Self.leastBytes, level.mostBytes / 2)))
        return nil
    }

    // MARK: Folders

    /// Whether a folder has an object in it, or below. An empty one is none in the eyes of S3.
    private func hasObject(_ path: FilePath, _ prefix: String) throws(FileError) -> Bool {
        if try hasFile(path, prefix) { return true }
        var walk = FolderWalk(fileSystem, path, prefix: prefix, mostBytes: Self.leastBytes)
        return try walk.nextKey() != nil
    }

    /// The usual case, in which a folder need not be read to its end.
    private func hasFile(_ path: FilePath, _ prefix: String) throws(FileError) -> Bool {
        var hasFile = false
        do throws(FileError) {
            try fileSystem.forEachEntry(of: path) { entry throws(FileError) in
                guard entry.kind == .regular, let name = entry.name, ObjectKey(listed: prefix + name) != nil
                else { return }
                hasFile = true
                throw FileError(.interrupted, "found", path)
            }
        } catch  where hasFile || error.code == .notFound {
            // There is no other way out of a folder.
        }
        return hasFile
    }
}
