import SystemPackage
import ValiseFiles

/// Renames the files of a staged folder into another. What was renamed already is no longer staged, so it can be
/// repeated.
struct FolderMerge {
    let staged: FilePath
    let target: FilePath
    /// In bytes; see ``AccountChange/stageFolder(_:mergingInto:growth:)``.
    let growth: Int64?
    let fileSystem: FileSystem

    func run() throws(FileError) {
        guard try fileSystem.exists(staged) else { return }
        if let growth { return try replace(growth) }
        guard try fileSystem.exists(target) else {
            // Nothing to merge with: the whole folder goes in one step.
            try fileSystem.makeDirectories(target.parentFolder)
            try fileSystem.rename(staged, to: target)
            return try fileSystem.synchronizeDirectory(target.parentFolder)
        }
        try fileSystem.makeDirectories(target)
        for name in try names() {
            try fileSystem.rename(staged.appending(name), to: target.appending(name))
        }
        try fileSystem.synchronizeDirectory(target)
        try fileSystem.removeDirectory(staged)
    }

    /// Replaces only files that are still those from which the staged ones were made.
    private func replace(_ growth: Int64) throws(FileError) {
        guard try fileSystem.isDirectory(target) else { return try fileSystem.removeTree(staged) }
        for name in try names() {
            let (made, found) = (staged.appending(name), target.appending(name))
            if try isSource(found, of: made, growth) {
                try fileSystem.rename(made, to: found)
            } else {
                try fileSystem.removeTree(made)
            }
        }
        try fileSystem.synchronizeDirectory(target)
        try fileSystem.removeDirectory(staged)
    }

    private func isSource(
        _ path: FilePath, of made: FilePath, _ growth: Int64
    ) throws(FileError) -> Bool {
        guard let made = try fileSystem.attributes(of: made),
            let found = try fileSystem.attributes(of: path), found.kind == .regular
        else { return false }
        return found.modificationTime == made.modificationTime
            && found.modificationNanoseconds == made.modificationNanoseconds
            && found.size == made.size - growth
    }

    private func names() throws(FileError) -> [FilePath.Component] {
        try fileSystem.list(staged).compactMap { FilePath.Component(bytes: $0.nameBytes) }
    }
}
