import Failures
import Files
import SystemPackage

/// The databases that an act replaces, in the folder `former` until its end.
///
/// A database is kept there under its own name, or with a number where that is taken: by what an app made in the
/// place of one that had left already.
struct FormerDatabases {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let folder: FilePath
    private let backup: FilePath

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
        folder = location.workFolder.appending(AccountChange.formerName)
        backup = location.workFolder.appending(AccountChange.backupName)
    }

    var isBackup: Bool { get throws(FileError) { try fileSystem.exists(backup) } }

    /// Whether the database that was at `target` is only here any more. Then the act has begun, whatever is in
    /// its place now.
    func hasLeft(_ target: String) throws(FileError) -> Bool {
        guard let former = try fileSystem.attributes(of: folder.appending(target)) else { return false }
        guard let found = try fileSystem.attributes(of: location.directory.appending(target)) else {
            return true
        }
        return !found.isSameFile(as: former)
    }

    /// Gives databases a second name here, so that replacing them leaves no moment without one.
    func keep(_ targets: [String]) throws(FileError) {
        if !(try fileSystem.exists(folder)) { try fileSystem.makeDirectory(folder) }
        try fileSystem.synchronizeDirectory(location.workFolder)
        for target in targets { try keep(target) }
        try fileSystem.synchronizeDirectory(folder)
    }

    private func keep(_ target: String) throws(FileError) {
        let path = location.directory.appending(target)
        guard try fileSystem.exists(path), !(try isKept(target)), try sideFiles(of: path).isEmpty else {
            return
        }
        do throws(FileError) {
            try fileSystem.link(path, as: freeName(target))
        } catch {
            // No hard links on this file system: it is moved away instead, a moment later.
            guard [.denied, .unsupported].contains(error.code) else { throw error }
        }
    }

    /// Makes way for a new database.
    ///
    /// A journal must never stand beside another database than its own: SQLite would roll it back into that. So
    /// the former database goes first, then its side files, then the new one comes.
    func makeWay(_ target: String) throws(FileError) {
        let path = location.directory.appending(target)
        let sides = try sideFiles(of: path)
        var hasMoved = !sides.isEmpty
        let isKept = try isKept(target)
        if try fileSystem.exists(path), !(sides.isEmpty && isKept) {
            try fileSystem.rename(path, to: freeName(target))
            hasMoved = true
        }
        for side in sides {
            guard let name = side.lastComponent?.string else { continue }
            try fileSystem.rename(side, to: freeName(name))
        }
        guard hasMoved else { return }
        try fileSystem.synchronizeDirectory(folder)
        try fileSystem.synchronizeDirectory(location.directory)
    }

    /// Gives them a name beside the new ones. A hard link, so that the folder stays whole.
    func publish(_ targets: [String]) throws(FileError) {
        for target in targets {
            let former = folder.appending(target)
            let kept = location.directory.appending(target).appendingSuffix(AccountChange.keptSuffix)
            guard try fileSystem.exists(former), !(try fileSystem.exists(kept)) else { continue }
            do throws(FileError) {
                try fileSystem.link(former, as: kept)
            } catch {
                guard [.denied, .unsupported].contains(error.code) else { throw error }
                try fileSystem.rename(former, to: kept)
            }
        }
        try fileSystem.synchronizeDirectory(location.directory)
    }

    /// They stay, for ``AccountBackup``.
    func becomeBackup() throws {
        try refuseSecondBackup()
        try fileSystem.rename(folder, to: backup)
        try fileSystem.synchronizeDirectory(location.workFolder)
    }

    func refuseSecondBackup() throws {
        guard try isBackup else { return }
        throw AccountError(
            .alreadyExists,
            "former databases are to be kept, and older ones are kept already; move this folder away first",
            backup)
    }

    // MARK: Names

    private func sideFiles(of path: FilePath) throws(FileError) -> [FilePath] {
        var found: [FilePath] = []
        for suffix in DatabaseFile.sideSuffixes where try fileSystem.exists(path.appendingSuffix(suffix)) {
            found.append(path.appendingSuffix(suffix))
        }
        return found
    }

    /// Whether what is at `target` now has a name here.
    private func isKept(_ target: String) throws(FileError) -> Bool {
        guard let found = try fileSystem.attributes(of: location.directory.appending(target)) else {
            return false
        }
        var number = 1
        while let kept = try fileSystem.attributes(of: name(target, number)) {
            if kept.isSameFile(as: found) { return true }
            number += 1
        }
        return false
    }

    /// Nothing that an app may have made in the meantime is overwritten.
    private func freeName(_ target: String) throws(FileError) -> FilePath {
        var number = 1
        while try fileSystem.exists(name(target, number)) { number += 1 }
        return name(target, number)
    }

    private func name(_ target: String, _ number: Int) -> FilePath {
        folder.appending(number == 1 ? target : "\(target).\(number)")
    }
}
