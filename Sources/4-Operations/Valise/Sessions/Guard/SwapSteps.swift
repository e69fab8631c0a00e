import SystemPackage
import ValiseAccounts
import ValiseFiles
import ValiseSessionStore

/// The steps of a restore that was decided, and those back. Each can be repeated.
///
/// A log belongs to the database beside it, and must never stand beside another one. Nor must it stand alone with no other name: a
/// program that is started while there is no database makes a new one, and removes the log that it finds. So where there is a log,
/// it first gets a second name where it is kept; then the previous database is moved away, and the first name of its log goes. The
/// new log gets a second name beside the place of the database, which comes last.
struct SwapSteps {
    /// The store.
    let folder: FilePath
    let staging: FilePath
    let kept: FilePath
    let state: SessionStateFiles
    let journal: SwapJournal
    let fileSystem: FileSystem

    var database: FilePath { folder.pushing(state.database) }
    var sides: [FilePath] { state.sides }

    /// Whether the program wrote to the previous database after the restore was decided: nobody wants to lose that.
    /// - Throws: `FileError`.
    func wasUsedSince() throws(FileError) -> Bool {
        guard let stamp = journal.replaced[state.database.string],
            let found = try fileSystem.attributes(of: database), found.inode == stamp.inode
        else { return false }
        for file in [state.database] + sides {
            let found = try fileSystem.attributes(of: folder.pushing(file)).map(FileStamp.init)
            // The log may have been moved away.
            if file != state.database, found == nil { continue }
            if found != journal.replaced[file.string] { return true }
        }
        return false
    }

    // MARK: Forward

    func forward() throws {
        let staged = staging.pushing(state.database)
        // It comes last.
        if try fileSystem.exists(staged) {
            try makeFolders()
            try keepPrevious()
            try removeIfThere(folder.pushing(state.index))
            try flush(state.database)
            try replaceKey()
            for side in sides { try bringSide(side) }
            try flush(state.database)
            try fileSystem.rename(staged, to: database)
        }
        try flush(state.database)
    }

    private func makeFolders() throws(FileError) {
        try fileSystem.makeDirectories(database.parentFolder)
        for file in [state.key, state.database] where journal.replaced[file.string] != nil {
            try fileSystem.makeDirectories(kept.pushing(file).parentFolder)
        }
    }

    /// What has the key goes with its database.
    private func replaceKey() throws(FileError) {
        let staged = staging.pushing(state.key)
        guard try fileSystem.exists(staged) else { return }
        try fileSystem.makeDirectories(folder.pushing(state.key).parentFolder)
        try keep(state.key, leavesName: true)
        try fileSystem.rename(staged, to: folder.pushing(state.key))
        try flush(state.key)
    }

    /// Puts a new log beside the place of the database. The prepared one stays until that is there.
    private func bringSide(_ side: FilePath) throws {
        let (staged, path) = (staging.pushing(side), folder.pushing(side))
        guard try fileSystem.exists(staged), try !isNew(side) else { return }
        try duplicate(staged, as: path)
    }

    /// Whether what has the name of a log is the new one, which comes before its database.
    func isNew(_ side: FilePath) throws -> Bool {
        let path = folder.pushing(side)
        guard let found = try fileSystem.attributes(of: path),
            FileStamp(found) != journal.replaced[side.string]
        else { return false }
        return try isSame(staging.pushing(side), path)
    }

    // MARK: Files

    /// Whether both are there, and are one file or have the same content.
    func isSame(_ first: FilePath, _ second: FilePath) throws -> Bool {
        guard let one = try fileSystem.attributes(of: first),
            let other = try fileSystem.attributes(of: second)
        else { return false }
        if one.isSameFile(as: other) { return true }
        guard one.size == other.size else { return false }
        return try FileFingerprint.of(first, fileSystem) == FileFingerprint.of(second, fileSystem)
    }

    /// Gives a file a second name, which is not there. Where the file system has no hard links, that is a copy, complete from the
    /// beginning.
    func duplicate(_ path: FilePath, as second: FilePath) throws {
        do throws(FileError) {
            return try fileSystem.link(path, as: second)
        } catch {
            guard Self.isOfLinks(error) else { throw error }
        }
        let copy = staging.appending("copy")
        try removeIfThere(copy)
        try fileSystem.copy(path, to: copy)
        try fileSystem.rename(copy, to: second)
    }

    /// Whether the file system may have no hard links.
    static func isOfLinks(_ error: FileError) -> Bool {
        if error.code == .unsupported || error.code == .denied { return true }
        return [.notSupported, .noFunction, .tooManyLinks].contains(error.errno)
    }

    func removeIfThere(_ path: FilePath) throws(FileError) {
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
    }

    /// Makes the names of a file durable, where it is and where it was or will be.
    func flush(_ file: FilePath) throws(FileError) {
        for root in [folder, kept, staging] {
            let parent = root.pushing(file).parentFolder
            if try fileSystem.exists(parent) { try fileSystem.synchronizeDirectory(parent) }
        }
    }
}
