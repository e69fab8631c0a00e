import SystemPackage
import ValiseAccounts
import ValiseFiles
import ValiseSessionStore

/// How a restore keeps what it replaces.
extension SwapSteps {
    /// Moves the previous database away, with its log.
    func keepPrevious() throws {
        let hasLog = try hasLog()
        if hasLog { for side in sides { try keepSecondName(side) } }
        try keep(state.database, leavesName: !hasLog)
        try flush(state.database)
        for side in sides { try keepSide(side) }
    }

    /// Whether a log goes or comes.
    private func hasLog() throws(FileError) -> Bool {
        for side in sides {
            if try fileSystem.exists(folder.pushing(side)) { return true }
            if try fileSystem.exists(staging.pushing(side)) { return true }
        }
        return false
    }

    /// Keeps a log as long as its database is beside it. The database goes to the same folder.
    private func keepSecondName(_ side: FilePath) throws {
        let path = folder.pushing(side)
        guard let found = try fileSystem.attributes(of: database), try fileSystem.exists(path),
            try !isNew(side)
        else { return }
        let target = try place(of: state.database, found).pushing(side)
        if let kept = try fileSystem.attributes(of: target) {
            if try fileSystem.attributes(of: path)?.isSameFile(as: kept) == true { return }
            // A copy of an interrupted run: the database is still here, and what is beside it counts.
            try fileSystem.remove(target)
        }
        try fileSystem.makeDirectories(target.parentFolder)
        try duplicate(path, as: target)
        try fileSystem.synchronizeDirectory(target.parentFolder)
    }

    /// Takes the name of a log whose database is away.
    private func keepSide(_ side: FilePath) throws {
        let path = folder.pushing(side)
        guard let found = try fileSystem.attributes(of: path), try !isNew(side) else { return }
        if try isKept(side) { return try fileSystem.remove(path) }
        let target = try place(of: side, found).pushing(side)
        try fileSystem.makeDirectories(target.parentFolder)
        try fileSystem.rename(path, to: target)
        try fileSystem.synchronizeDirectory(target.parentFolder)
    }

    private func isKept(_ side: FilePath) throws -> Bool {
        let path = folder.pushing(side)
        if try isSame(kept.pushing(side), path) { return true }
        var number = 1
        while try fileSystem.exists(later(number)) {
            if try isSame(later(number).pushing(side), path) { return true }
            number += 1
        }
        return false
    }

    /// - Parameter leavesName: whether the file stays where it is until another takes its name.
    func keep(_ file: FilePath, leavesName: Bool) throws(FileError) {
        let path = folder.pushing(file)
        guard let found = try fileSystem.attributes(of: path) else { return }
        let target = try place(of: file, found).pushing(file)
        if try fileSystem.exists(target) {
            if !leavesName { try fileSystem.remove(path) }
            return
        }
        try fileSystem.makeDirectories(target.parentFolder)
        try move(path, to: target, leavesName: leavesName)
        try fileSystem.synchronizeDirectory(target.parentFolder)
    }

    private func move(_ path: FilePath, to target: FilePath, leavesName: Bool) throws(FileError) {
        if leavesName {
            do throws(FileError) {
                return try fileSystem.link(path, as: target)
            } catch {
                guard Self.isOfLinks(error) else { throw error }
            }
        }
        try fileSystem.rename(path, to: target)
    }

    /// The folder where what is there now goes, or is already by a second name. A program that was started while there was no
    /// database has made another one, with a log of its own: neither may get mixed up with those of the previous one.
    private func place(of file: FilePath, _ found: FileAttributes) throws(FileError) -> FilePath {
        func isFree(_ folder: FilePath) throws(FileError) -> Bool {
            try fileSystem.attributes(of: folder.pushing(file))?.isSameFile(as: found) ?? true
        }
        if journal.replaced[file.string]?.inode == found.inode, try isFree(kept) { return kept }
        var number = 1
        while try !isFree(later(number)) { number += 1 }
        return later(number)
    }

    private func later(_ number: Int) -> FilePath { kept.appending("later-\(number)") }
}
