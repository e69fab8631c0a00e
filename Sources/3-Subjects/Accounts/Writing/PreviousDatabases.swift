import SystemPackage
import ValiseFailures
import ValiseFiles

/// The databases that an operation replaces, in the folder `previous` until its end.
///
/// A database is kept there under its own name, or with a number where that is taken: by what an app made in the
/// place of one that had left already. A database and its side files have one number, `NAME.2` and `NAME.2-journal`:
/// beside another one SQLite would roll a journal back into that.
struct PreviousDatabases {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let folder: FilePath
    private let backup: FilePath

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
        folder = location.workFolder.appending(AccountChange.previousName)
        backup = location.workFolder.appending(AccountChange.backupName)
    }

    var isBackup: Bool { get throws(FileError) { try fileSystem.exists(backup) } }

    /// Whether the database that was at `target` is only here any more. Then the operation has begun, whatever is in
    /// its place now.
    func hasLeft(_ target: String) throws(FileError) -> Bool {
        guard let previous = try fileSystem.attributes(of: folder.appending(target)) else { return false }
        guard let found = try fileSystem.attributes(of: location.directory.appending(target)) else {
            return true
        }
        return !found.isSameFile(as: previous)
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
        guard try fileSystem.exists(path), try numberKept(target) == nil, try sideFiles(of: path).isEmpty
        else { return }
        do throws(FileError) {
            try fileSystem.link(path, as: name(target, freeNumber(target)))
        } catch {
            // No hard links on this file system: it is moved away instead, a moment later.
            guard [.denied, .unsupported].contains(error.code) else { throw error }
        }
    }

    /// Makes way for a new database.
    ///
    /// A journal must never stand beside another database than its own: SQLite would roll it back into that. So
    /// the previous database goes first, then its side files, then the new one comes.
    func makeWay(_ target: String) throws(FileError) {
        let path = location.directory.appending(target)
        let sides = try sideFiles(of: path)
        let isThere = try fileSystem.exists(path)
        let kept = try numberKept(target)
        // One that is kept already is replaced by the renaming of the new one, with no moment without any.
        guard !sides.isEmpty || (isThere && kept == nil) else { return }
        let free = try freeNumber(target)
        var number = kept ?? free
        if isThere {
            if kept != nil {
                try fileSystem.remove(path)
            } else {
                try fileSystem.rename(path, to: name(target, number))
            }
        } else if let last = try lastNumber(target), try sideFiles(of: name(target, last)).isEmpty {
            // An interrupted run moved their database, and nothing was made in its place.
            number = last
        }
        for side in sides {
            try fileSystem.rename(path.appendingSuffix(side), to: name(target, number).appendingSuffix(side))
        }
        try fileSystem.synchronizeDirectory(folder)
        try fileSystem.synchronizeDirectory(location.directory)
    }

    /// Gives them a name beside the new ones. A hard link, so that the folder stays whole.
    func publish(_ targets: [String]) throws(FileError) {
        for target in targets {
            let previous = folder.appending(target)
            let kept = location.directory.appending(target).appendingSuffix(AccountChange.keptSuffix)
            _ = try publish(previous, as: kept)
        }
        try fileSystem.synchronizeDirectory(location.directory)
    }

    /// Gives them and their journals a name in the folder of the account that is kept: all, or none.
    /// - Returns: false where somebody has taken such a name since the operation was decided.
    func publish(_ targets: [String], in kept: FilePath) throws(FileError) -> Bool {
        var names: [String] = []
        for target in targets { names += try self.names(target) }
        for name in names {
            guard let found = try fileSystem.attributes(of: kept.appending(name)) else { continue }
            guard let file = try fileSystem.attributes(of: folder.appending(name)), found.isSameFile(as: file)
            else { return false }
        }
        try fileSystem.makeDirectories(kept)
        for name in names { _ = try publish(folder.appending(name), as: kept.appending(name)) }
        try fileSystem.synchronizeDirectory(kept)
        return true
    }

    /// What is here of one, the database after its side files: without its journal it would be taken for whole.
    private func names(_ target: String) throws(FileError) -> [String] {
        var names: [String] = []
        for number in try Self.numbers(of: target, among: self.names(), withSides: false) {
            let path = folder.appending(Self.name(target, number))
            guard let name = path.lastComponent?.string else { continue }
            names += try sideFiles(of: path).map { name + $0 } + [name]
        }
        return names
    }

    /// - Returns: false where the name is taken by something else.
    private func publish(_ previous: FilePath, as kept: FilePath) throws(FileError) -> Bool {
        guard let file = try fileSystem.attributes(of: previous) else { return true }
        if let found = try fileSystem.attributes(of: kept) { return found.isSameFile(as: file) }
        do throws(FileError) {
            try fileSystem.link(previous, as: kept)
        } catch {
            guard [.denied, .unsupported].contains(error.code) else { throw error }
            try fileSystem.rename(previous, to: kept)
        }
        return true
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
            "older previous databases are already kept here",
            backup, remedy: .moveAway(backup))
    }

    // MARK: Names

    private func sideFiles(of path: FilePath) throws(FileError) -> [String] {
        var found: [String] = []
        for suffix in DatabaseFile.sideSuffixes where try fileSystem.exists(path.appendingSuffix(suffix)) {
            found.append(suffix)
        }
        return found
    }

    /// The number under which what is at `target` now has a name here; nil for none.
    private func numberKept(_ target: String) throws(FileError) -> Int? {
        guard let found = try fileSystem.attributes(of: location.directory.appending(target)) else {
            return nil
        }
        for number in try Self.numbers(of: target, among: names(), withSides: false) {
            if try fileSystem.attributes(of: name(target, number))?.isSameFile(as: found) == true {
                return number
            }
        }
        return nil
    }

    /// The last number that a database has; nil for none.
    private func lastNumber(_ target: String) throws(FileError) -> Int? {
        try Self.numbers(of: target, among: names(), withSides: false).max()
    }

    /// Nothing that an app may have made in the meantime is overwritten, nor gets another one's journal.
    private func freeNumber(_ target: String) throws(FileError) -> Int {
        (try Self.numbers(of: target, among: names(), withSides: true).max() ?? 0) + 1
    }

    private func names() throws(FileError) -> [String] { try fileSystem.list(folder).compactMap(\.name) }

    /// The numbers that are in use for a database, here or in a backup.
    static func numbers(of target: String, among names: [String], withSides: Bool) -> [Int] {
        names.compactMap { name in
            var stem = Substring(name)
            if let side = DatabaseFile.sideSuffixes.first(where: name.hasSuffix) {
                guard withSides else { return nil }
                stem = stem.dropLast(side.count)
            }
            if stem == target { return 1 }
            return stem.hasPrefix(target + ".") ? Int(stem.dropFirst(target.count + 1)) : nil
        }
    }

    private func name(_ target: String, _ number: Int) -> FilePath {
        folder.appending(Self.name(target, number))
    }

    /// As it is here, and in a backup.
    static func name(_ target: String, _ number: Int) -> String {
        number == 1 ? target : "\(target).\(number)"
    }
}
