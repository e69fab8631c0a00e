import Synchronization
package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Objects as the files of a folder, at the paths that their keys are: a store of S3 that was copied to a disk, or one that was
/// always there.
///
/// An object is written in the folder ``workName``, flushed, and renamed under a lock, which holds for all processes: so a crash
/// leaves the previous object or the new one, and conditions hold between all that write through this type. Its version is
/// inode, time and size, because a list of a million objects cannot read them all: what replaces a file has another inode, as
/// both exist for a moment, and its time has random nanoseconds, which tell it from an earlier file that had the same inode
/// within one tick of the system's clock.
///
/// A folder cannot hold `a` and `a/b`: the second one is refused. Links and whatever else is no file are no objects. Where a file
/// system does not tell cases apart, or spellings of one accent, neither do the objects.
package final class FolderObjectStore: ObjectStore {
    package let folder: FilePath
    let fileSystem: FileSystem
    let now: @Sendable () -> Int64
    /// The folders whose names are durable, as far as this store has seen to it. Whoever has this decides on a write: beside it
    /// comes the lock of ``locked(_:)``, which threads of one process do not have to wait for in steps.
    let durableFolders = Mutex<[FilePath: FileIdentity]>([:])
    /// Whether this store has looked for what killed runs have left.
    let hasLookedForLeftovers = Atomic(false)
    private let hasLocks = Mutex<Bool?>(nil)

    /// - Parameters:
    ///   - folder: that the keys are paths in. A link to it is followed.
    ///   - fileSystem: where it is.
    ///   - now: tells which files a killed run has left, in seconds since 1970.
    package init(
        _ folder: FilePath, fileSystem: FileSystem = FileSystem(),
        now: @escaping @Sendable () -> Int64 = { StorageClock.systemTime() }
    ) {
        self.folder = folder
        self.fileSystem = fileSystem
        self.now = now
    }

    package var location: String { folder.string }

    /// Makes the folder and those above it that are missing. Without it, a disk is not mounted rather than a store empty.
    /// - Throws: ``StorageError``
    package func create() throws {
        try attempt { () throws(FileError) in try fileSystem.makeDirectories(folder) }
    }

    /// Conditions hold where a lock that is had is refused to another: some mounted servers let everybody have it.
    package func hasConditionalWrites() throws -> Bool {
        try hasLocks.withLock { known in
            if let known { return known }
            let found = try attempt { () throws(FileError) in
                try checkFolder()
                try prepareWork()
                return try excludesOthers()
            }
            known = found
            return found
        }
    }

    // MARK: Reading

    package func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        guard let found = try attempt({ () throws(FileError) in try read(key, range, mostBytes) }) else {
            throw StorageError.noObject(key)
        }
        return found
    }

    private func read(
        _ key: ObjectKey, _ range: Range<Int64>?, _ mostBytes: Int
    ) throws(FileError) -> StoredObject? {
        guard try file(of: key) != nil else { return nil }
        let path = path(of: key)
        let opened = try fileSystem.openForReading(path)
        // Of what is open: the name may lead to another one by now.
        let found = try opened.attributes()
        guard range != nil || found.size <= mostBytes else {
            throw FileError(.damaged, "file is larger than expected", path)
        }
        let range = range ?? 0..<found.size
        guard range.lowerBound >= 0, range.upperBound <= found.size else {
            throw FileError(.damaged, "file is shorter than expected", path)
        }
        let count = range.count
        let content = try opened.bytes(at: range.lowerBound, count: count)
        guard content.count == count else { throw FileError(.damaged, "file shrank while being read", path) }
        return StoredObject(content: content, version: ObjectVersion(found))
    }

    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        let opened = try attempt { () throws(FileError) in
            try file(of: key) == nil ? nil : try FileSource(path(of: key), fileSystem: fileSystem)
        }
        guard let opened else { throw StorageError.noObject(key) }
        guard range.lowerBound >= 0, range.upperBound <= opened.size else {
            throw StorageError.tooShort(path(of: key).string)
        }
        let version = ObjectVersion(try attempt { () throws(FileError) in try opened.attributes() })
        try unsafe ObjectSource.forEachPiece(of: opened, in: range, atMost: ObjectStream.mostPieceBytes) {
            try unsafe take($0, version)
        }
        return opened.size
    }

    package func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        try attempt { () throws(FileError) in try file(of: key).map { ObjectAttributes($0) } }
    }

    // MARK: Lists

    package func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        var objects = try attempt { () throws(FileError) in
            try checkFolder()
            return try walk(prefix, isDelimited: isDelimited, after: after)
        }
        while let next = try attempt({ () throws(FileError) in try objects?.next() }) {
            guard try body(next) else { return }
        }
    }

    package func listKeys(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedKey) throws -> Bool
    ) throws {
        var keys = try attempt { () throws(FileError) in
            try checkFolder()
            return try walk(prefix, isDelimited: isDelimited, after: after)
        }
        while let next = try attempt({ () throws(FileError) in try keys?.nextKey() }) {
            guard try body(next) else { return }
        }
    }

    /// Nil where no key can begin with the prefix.
    private func walk(
        _ prefix: String, isDelimited: Bool, after: String?
    ) throws(FileError) -> FolderWalk? {
        // Up to the last slash it names a folder; what is behind is the beginning of names in there.
        let slash = prefix.utf8.lastIndex(of: UInt8(ascii: "/"))
        guard let slash else {
            return FolderWalk(
                fileSystem, folder, prefix: "", names: prefix, isDelimited: isDelimited, after: after)
        }
        guard let base = ObjectKey(listed: String(Substring(prefix.utf8[..<slash]))), !isReserved(base),
            try hasFolders(of: base), try isFolder(path(of: base))
        else { return nil }
        return FolderWalk(
            fileSystem, path(of: base), prefix: base.text + "/",
            names: prefix.dropping(bytes: base.text.utf8.count + 1), isDelimited: isDelimited, after: after)
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
