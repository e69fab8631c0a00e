import SystemPackage
import ValiseFiles

/// What differs between two listings, in the order of their keys.
struct ListingChanges: ~Copyable {
    enum Change: Sendable, Hashable {
        /// An entry that is new or another one.
        case entry(String)
        case removedEntry(String)
        /// A folder that was not there.
        case folder(String)
        case removedFolder(String)
    }

    private var old: ListingLines
    private var new: ListingLines
    private var nextOld: ListingLine?
    private var nextNew: ListingLine?
    private var lastOld: ListingLine?
    private var lastNew: ListingLine?

    /// - Throws: `FileError`; ``ContentStoreError``: `damaged`.
    init(_ old: FilePath, _ new: FilePath, _ fileSystem: FileSystem) throws {
        var oldLines = try ListingLines(old, fileSystem)
        var newLines = try ListingLines(new, fileSystem)
        nextOld = try oldLines.next()
        nextNew = try newLines.next()
        self.old = oldLines
        self.new = newLines
    }

    /// The changes of the next path that has some, with that path; nil at the end.
    /// - Throws: `FileError`; ``ContentStoreError``: `damaged`.
    mutating func next() throws -> (path: String, changes: [Change])? {
        while true {
            switch (nextOld, nextNew) {
            case (nil, nil): return nil
            case (let old?, let new?) where old.isSamePath(as: new):
                try passOld()
                try passNew()
                if old.version != new.version { return (new.text, [.entry(new.text)]) }
            case (let old?, let new) where new.map({ old.comes(before: $0) }) ?? true:
                let changes = removed(old)
                try passOld()
                return (old.text, changes)
            case (_, let new?):
                let changes = added(new)
                try passNew()
                return (new.text, changes)
            case (_?, nil): return nil
            }
        }
    }

    private mutating func passOld() throws {
        lastOld = nextOld
        nextOld = try old.next()
    }

    private mutating func passNew() throws {
        lastNew = nextNew
        nextNew = try new.next()
    }

    /// An entry that is new, with the folders that are it too: nothing of the other listing lies in them, and nothing before.
    private func added(_ line: ListingLine) -> [Change] {
        let folders = Self.folders(of: line).filter { !isIn($0, lastOld, nextOld, lastNew) }
        return folders.map { .folder($0) } + (line.folder == nil ? [.entry(line.text)] : [])
    }

    /// The folders that go with an entry come behind it, the lowest first.
    private func removed(_ line: ListingLine) -> [Change] {
        let folders = Self.folders(of: line).filter { !isIn($0, lastNew, nextNew, lastOld) }
        return (line.folder == nil ? [.removedEntry(line.text)] : [])
            + folders.reversed().map { .removedFolder($0) }
    }

    private func isIn(_ folder: String, _ lines: ListingLine?...) -> Bool {
        lines.contains { $0?.isIn(folder) == true }
    }

    /// The topmost first.
    private static func folders(of line: ListingLine) -> [String] {
        let bytes = line.text.utf8
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { String(line.text[..<$0]) }
    }
}
