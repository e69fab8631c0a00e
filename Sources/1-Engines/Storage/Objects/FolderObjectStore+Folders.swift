import SystemPackage
import ValiseFailures
import ValiseFiles

/// Folders come with the first object below them, and go with the last one. All but flushing is for whoever has the lock.
extension FolderObjectStore {
    /// Makes the folders on the way to an object that are missing, and their names durable.
    func makeFolders(
        of key: ObjectKey, _ durable: inout [FilePath: FileIdentity]
    ) throws(FileError) {
        var parent = folder
        for next in foldersDown(to: key) {
            if try fileSystem.attributes(of: next)?.kind == .regular {
                throw FileError(
                    .unsupported, "an object has this name, and a folder of it cannot be made beside it", next
                )
            }
            if try !isFolder(next) { try fileSystem.makeDirectory(next) }
            let found = try fileSystem.attributes(of: next)?.identity
            if found == nil || durable[next] != found {
                try fileSystem.flushNames(in: parent)
                durable[next] = found
            }
            parent = next
        }
        if durable.count > Self.mostDurableFolders { durable = [:] }
    }

    /// A tree of others may have any number.
    private static var mostDurableFolders: Int { 4096 }

    /// Gives way to an object of the name of a folder, if that has nothing but folders in it: a killed run may have left such.
    /// - Throws: ``FileError``: `unsupported` where there is something.
    func removeEmptyFolders(_ path: FilePath) throws(FileError) {
        guard try isFolder(path) else { return }
        var folders = [path]
        var place = 0
        while place < folders.count {
            let parent = folders[place]
            try fileSystem.forEachEntry(of: parent) { entry throws(FileError) in
                guard entry.kind == .directory, let name = FilePath.Component(bytes: entry.nameBytes),
                    folders.count < Self.mostDurableFolders
                else {
                    throw FileError(
                        .unsupported, "objects below this name exist, and a file cannot be made beside them",
                        path)
                }
                folders.append(parent.appending(name))
            }
            place += 1
        }
        for folder in folders.reversed() { try fileSystem.removeDirectory(folder) }
    }

    /// Removes the folders that have become empty. One that stays is no object, and does no harm.
    func removeEmptyParents(of key: ObjectKey, _ durable: inout [FilePath: FileIdentity]) {
        for folder in foldersDown(to: key).reversed() {
            do throws(FileError) {
                try fileSystem.removeDirectory(folder)
                durable[folder] = nil
            } catch {
                return
            }
        }
    }

    /// Makes what happened to the name of an object durable: in the last folder on the way to it that is there.
    func flushNearest(of key: ObjectKey) throws(FileError) {
        for path in foldersDown(to: key).reversed() {
            if try isFolder(path), try flushIfThere(path) { return }
        }
        try fileSystem.flushNames(in: folder)
    }

    /// - Returns: false where another one has removed the last object in there, just now.
    private func flushIfThere(_ path: FilePath) throws(FileError) -> Bool {
        do throws(FileError) {
            try fileSystem.flushNames(in: path)
            return true
        } catch  where error.code == .notFound {
            return false
        }
    }
}
