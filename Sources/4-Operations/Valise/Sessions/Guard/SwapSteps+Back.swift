import SystemPackage
import ValiseAccounts
import ValiseFiles
import ValiseSessionStore

/// The way back of a restore.
extension SwapSteps {
    func back() throws {
        try databaseBack()
        try keyBack()
        try removeEmptyFolders()
    }

    private func databaseBack() throws {
        let previous = kept.pushing(state.database)
        let now = try fileSystem.attributes(of: database)
        if let old = try fileSystem.attributes(of: previous) {
            if let now, now.isSameFile(as: old) {
                try fileSystem.remove(previous)
            } else {
                try removeNew()
                for side in sides { try sideBack(side) }
                try flush(state.database)
                try fileSystem.rename(previous, to: database)
            }
        } else if journal.replaced[state.database.string] == nil,
            try !fileSystem.exists(staging.pushing(state.database))
        {
            // There was none, but there may have been a log.
            try removeNew()
            for side in sides where try fileSystem.exists(kept.pushing(side)) {
                try fileSystem.rename(kept.pushing(side), to: folder.pushing(side))
            }
        }
        try flush(state.database)
        // It never went, or is back, and so is its log.
        guard try fileSystem.exists(database) else { return }
        for side in sides { try removeIfThere(kept.pushing(side)) }
    }

    /// Puts the previous log beside the place of its database. What is kept stays until that is there, for the reason that it did
    /// so before.
    private func sideBack(_ side: FilePath) throws {
        let (previous, path) = (kept.pushing(side), folder.pushing(side))
        guard let old = try fileSystem.attributes(of: previous) else { return }
        if let found = try fileSystem.attributes(of: path) {
            if found.isSameFile(as: old) { return }
            try fileSystem.remove(path)
        }
        try duplicate(previous, as: path)
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
}
