import SystemPackage
import ValiseFiles

/// The folder `.valise-PREFIX` beside an account.
struct WorkFolder {
    private let path: FilePath
    private let parent: FilePath
    private let fileSystem: FileSystem

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        path = location.workFolder
        parent = location.directory
        self.fileSystem = fileSystem
    }

    /// Names in the folder that a finished or undecided operation leaves: everything but a backup.
    func leftovers() throws(FileError) -> [String] {
        guard try fileSystem.exists(path) else { return [] }
        return try fileSystem.list(path).compactMap(\.name).filter { $0 != AccountChange.backupName }
    }

    /// The end of a decided operation. The journal goes last: as long as anything else of the operation is there, so is
    /// the journal that says which operation it was.
    func finish(droppingBackup: Bool) throws(FileError) {
        if droppingBackup { try fileSystem.removeTree(path.appending(AccountChange.backupName)) }
        for name in try leftovers() where name != ChangeJournal.fileName {
            try fileSystem.removeTree(path.appending(name))
        }
        try fileSystem.synchronizeDirectory(path)
        try fileSystem.remove(path.appending(ChangeJournal.fileName))
        try fileSystem.synchronizeDirectory(path)
        try removeIfEmpty()
    }

    func discardPreparations() throws(FileError) {
        for name in try leftovers() { try fileSystem.removeTree(path.appending(name)) }
        try removeIfEmpty()
    }

    /// Whether it is there, without anything in it.
    func isEmpty() throws(FileError) -> Bool {
        guard try fileSystem.exists(path) else { return false }
        return try fileSystem.list(path).isEmpty
    }

    func removeIfEmpty() throws(FileError) {
        guard try isEmpty() else { return }
        try fileSystem.removeDirectory(path)
        try fileSystem.synchronizeDirectory(parent)
    }
}
