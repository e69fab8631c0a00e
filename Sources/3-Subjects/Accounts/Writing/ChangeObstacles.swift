import SystemPackage
import ValiseFailures
import ValiseFiles

/// What would stop an operation in the middle, looked for before it is decided: once it is, it has to be completed.
struct ChangeObstacles {
    private let location: AccountLocation
    private let fileSystem: FileSystem

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
    }

    /// - Parameter staging: where everything is renamed from.
    /// - Throws: ``AccountError``; ``FileError``.
    func check(_ steps: [ChangeStep], from staging: FilePath) throws {
        try checkMayChange(location.directory)
        for step in steps {
            switch step {
            case .database(_, let target):
                try checkReach(location.directory.appending(target), from: staging)
            case .merge(_, let target, let growth):
                let path = location.directory.appending(target)
                let isThere = try fileSystem.exists(path)
                // Then nothing goes there.
                if growth != nil, !isThere { continue }
                if isThere, !(try fileSystem.isDirectory(path)) {
                    throw AccountError(
                        .unsupported, "a file has the name of the media folder. Nothing was changed.", path)
                }
                let folder = try existingFolder(path)
                try checkReach(folder, from: staging)
                try checkMayChange(folder)
            case .file(_, let target):
                let path = location.directory.appending(target)
                try checkReach(path, from: staging)
                guard try fileSystem.attributes(of: path)?.kind == .directory else { continue }
                throw AccountError(
                    .unsupported, "a folder has the name of a file to be written. Nothing was changed.", path)
            case .removal: continue
            case .folder(let target):
                let path = location.directory.appending(target)
                if !(try fileSystem.exists(path)) { try checkMayChange(existingFolder(path)) }
            }
        }
    }

    /// The folder, or the one in which it will be made. It may be a link to another disk.
    private func existingFolder(_ path: FilePath) throws -> FilePath {
        var path = path
        while try !fileSystem.exists(path) { path = path.parentFolder }
        return try fileSystem.resolve(path)
    }

    /// Renaming does not reach another file system, nor another mount of the same.
    private func checkReach(_ path: FilePath, from staging: FilePath) throws {
        guard let found = try fileSystem.attributes(of: path),
            let home = try fileSystem.attributes(of: staging)
        else { return }
        guard found.device == home.device,
            fileSystem.mountIdentifier(of: path) == fileSystem.mountIdentifier(of: staging)
        else {
            throw AccountError(
                .unsupported,
                "not on the same file system and mount as the account folder. Nothing was changed.", path,
                remedy: .moveToFileSystem(of: location.directory))
        }
    }

    private func checkMayChange(_ folder: FilePath) throws {
        do {
            try fileSystem.checkMayChange(folder)
        } catch {
            throw AccountError(
                error.code,
                "folder not writable. Nothing was changed.",
                folder, cause: error)
        }
    }
}
