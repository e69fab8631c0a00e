import SystemPackage
import ValiseAccounts
import ValiseFiles
import ValiseSessionStore

/// The steps of a restore that was decided, and those back. Each can be repeated.
///
/// A log belongs to the database beside it, and must never stand beside another one. So where there is one, the previous database
/// is moved away first, then its log, and then the new log comes, and the new database last.
struct SwapSteps {
    /// The store.
    let folder: FilePath
    let staging: FilePath
    let kept: FilePath
    let state: SessionStateFiles
    let journal: SwapJournal
    let fileSystem: FileSystem

    private var database: FilePath { folder.pushing(state.database) }
    private var sides: [FilePath] { state.sides }

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
            let hasLog = try hasLog()
            try keep(state.database, leavesName: !hasLog)
            try flush(state.database)
            for side in sides { try keep(side) }
            try removeIfThere(folder.pushing(state.index))
            try flush(state.database)
            try replaceKey()
            for side in sides { try bring(side) }
            try flush(state.database)
            try fileSystem.rename(staged, to: database)
        }
        try flush(state.database)
    }

    /// Whether a log goes or comes.
    private func hasLog() throws(FileError) -> Bool {
        for side in sides {
            if try fileSystem.exists(folder.pushing(side)) { return true }
            if try fileSystem.exists(staging.pushing(side)) { return true }
        }
        return false
    }

    private func makeFolders() throws(FileError) {
        try fileSystem.makeDirectories(database.parentFolder)
        for file in [state.key, state.database] where journal.replaced[file.string] != nil {
            try fileSystem.makeDirectories(kept.pushing(file).parentFolder)
        }
    }

    /// - Parameter leavesName: whether the file stays where it is until another takes its name.
    private func keep(_ file: FilePath, leavesName: Bool = false) throws(FileError) {
        let path = folder.pushing(file)
        guard let found = try fileSystem.attributes(of: path) else { return }
        let target = try keptPath(of: file, found)
        if let kept = try fileSystem.attributes(of: target), kept.isSameFile(as: found) {
            if !leavesName { try fileSystem.remove(path) }
            return
        }
        try move(path, to: target, leavesName: leavesName)
        try fileSystem.synchronizeDirectory(target.parentFolder)
    }

    private func move(_ path: FilePath, to target: FilePath, leavesName: Bool) throws(FileError) {
        if leavesName {
            do throws(FileError) {
                return try fileSystem.link(path, as: target)
            } catch {
                // Not every file system has hard links.
                guard error.code == .unsupported || error.code == .denied else { throw error }
            }
        }
        try fileSystem.rename(path, to: target)
    }

    /// Where what is there now goes. A program that was started while there was no database has made another one, with a log of
    /// its own: neither may get mixed up with those of the previous one.
    private func keptPath(of file: FilePath, _ found: FileAttributes) throws(FileError) -> FilePath {
        if journal.replaced[file.string]?.inode == found.inode { return kept.pushing(file) }
        var (number, later) = (1, kept.appending("later-1").pushing(file))
        while try fileSystem.exists(later) {
            number += 1
            later = kept.appending("later-\(number)").pushing(file)
        }
        try fileSystem.makeDirectories(later.parentFolder)
        return later
    }

    /// What has the key goes with its database.
    private func replaceKey() throws(FileError) {
        guard try fileSystem.exists(staging.pushing(state.key)) else { return }
        try fileSystem.makeDirectories(folder.pushing(state.key).parentFolder)
        try keep(state.key, leavesName: true)
        try bring(state.key)
        try flush(state.key)
    }

    private func bring(_ file: FilePath) throws(FileError) {
        let staged = staging.pushing(file)
        guard try fileSystem.exists(staged) else { return }
        try fileSystem.rename(staged, to: folder.pushing(file))
    }

    // MARK: Back

    func back() throws {
        try databaseBack()
        try keyBack()
        try removeEmptyFolders()
    }

    private func databaseBack() throws {
        let previous = kept.pushing(state.database)
        let now = try fileSystem.attributes(of: database)
        guard let old = try fileSystem.attributes(of: previous) else {
            // It never went, or is back; or there was none.
            let isNew = try !fileSystem.exists(staging.pushing(state.database))
            guard journal.replaced[state.database.string] == nil, isNew else { return }
            return try removeNew()
        }
        if let now, now.isSameFile(as: old) {
            try fileSystem.remove(previous)
        } else {
            try removeNew()
            for side in sides where try fileSystem.exists(kept.pushing(side)) {
                try fileSystem.rename(kept.pushing(side), to: folder.pushing(side))
            }
            try flush(state.database)
            try fileSystem.rename(previous, to: database)
        }
        try flush(state.database)
    }

    /// Removes the new database and its log. What is back of the previous one stays.
    private func removeNew() throws(FileError) {
        for file in sides + [state.index, state.database] {
            let path = folder.pushing(file)
            guard let found = try fileSystem.attributes(of: path),
                journal.replaced[file.string]?.inode != found.inode
            else { continue }
            try fileSystem.remove(path)
        }
        if try fileSystem.exists(database.parentFolder) {
            try fileSystem.synchronizeDirectory(database.parentFolder)
        }
    }

    private func keyBack() throws {
        let (path, previous) = (folder.pushing(state.key), kept.pushing(state.key))
        if let old = try fileSystem.attributes(of: previous) {
            // Two names of one file are not renamed over each other.
            if try fileSystem.attributes(of: path)?.isSameFile(as: old) == true {
                try fileSystem.remove(previous)
            } else {
                try fileSystem.rename(previous, to: path)
            }
        } else if journal.replaced[state.key.string] == nil,
            journal.files.contains(where: { $0.path == state.key.string }),
            try !fileSystem.exists(staging.pushing(state.key))
        {
            try removeIfThere(path)
        }
        try flush(state.key)
    }

    /// What a program made meanwhile stays.
    private func removeEmptyFolders() throws(FileError) {
        for file in [state.key, state.database] {
            for folder in [kept.pushing(file).parentFolder, kept] {
                guard try fileSystem.exists(folder), try fileSystem.list(folder).isEmpty else { continue }
                try fileSystem.removeDirectory(folder)
            }
        }
        try fileSystem.synchronizeDirectory(kept.parentFolder)
    }

    // MARK: Files

    private func removeIfThere(_ path: FilePath) throws(FileError) {
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
    }

    /// Makes the names of a file durable, where it is and where it was or will be.
    private func flush(_ file: FilePath) throws(FileError) {
        for root in [folder, kept, staging] {
            let parent = root.pushing(file).parentFolder
            if try fileSystem.exists(parent) { try fileSystem.synchronizeDirectory(parent) }
        }
    }
}
