import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

/// Writes descriptions as the official command does: `rcv1.xftp` and so on, and `snd.xftp.private`, in a new folder.
///
/// Beyond that: those of a divided file lie in a folder for each part, and those that belong to short links are
/// `redirect1.xftp` with `redirect1.snd.xftp.private`.
struct DescriptionWriter {
    private let fileSystem: FileSystem

    init(_ fileSystem: FileSystem) { self.fileSystem = fileSystem }

    /// - Throws: ``FileError``: `alreadyExists`, `notFound`, `denied`.
    func checkPlace(_ folder: FilePath) throws {
        if try fileSystem.exists(folder) {
            throw FileError(
                .alreadyExists,
                "a file or folder with this name already exists",
                folder, remedy: .chooseAnotherFolder)
        }
        guard try fileSystem.isDirectory(folder.parentFolder) else {
            throw FileError.noFolder(folder.parentFolder, "no such folder for the descriptions")
        }
        try fileSystem.checkMayChange(folder.parentFolder)
    }

    /// All of it is durable when this returns; before, the folder has another name.
    /// - Throws: ``FileError``: `alreadyExists`.
    func write(_ file: UploadedFile, to folder: FilePath) throws {
        try checkPlace(folder)
        let pending = folder.parentFolder.appending(".valise-\(file.id)")
        // What a killed run of this upload left: nobody else has its random name.
        try fileSystem.removeTree(pending)
        do {
            try write(file, pending)
            try fileSystem.renameExclusively(pending, to: folder)
        } catch {
            try? fileSystem.removeTree(pending)
            throw error
        }
        try fileSystem.synchronizeDirectory(folder.parentFolder)
    }

    private func write(_ file: UploadedFile, _ pending: FilePath) throws {
        try fileSystem.makeDirectory(pending)
        if file.parts.count == 1 {
            try write(file.parts[0], to: pending)
        } else {
            for part in file.parts {
                let own = pending.appending(ReceivedName.sanitised(part.name) + ".xftp")
                try fileSystem.makeDirectory(own)
                try write(part, to: own)
            }
        }
        try fileSystem.synchronizeDirectory(pending)
    }

    /// Whether a run that was killed had written all of it.
    func holds(_ file: UploadedFile, in folder: FilePath) throws -> Bool {
        guard let part = file.parts.first else { return false }
        let name = "snd.xftp.private"
        let path =
            file.parts.count == 1
            ? folder.appending(name)
            : folder.appending(ReceivedName.sanitised(part.name) + ".xftp").appending(name)
        guard try fileSystem.attributes(of: path)?.kind == .regular else { return false }
        let found = try fileSystem.contents(of: path, limit: FileDescription.largestYAML)
        return try unsafe part.sender.yaml().withBytes { unsafe $0.elementsEqual(found) }
    }

    private func write(_ part: UploadedPart, to folder: FilePath) throws {
        for (index, description) in part.recipients.enumerated() {
            try write(description, folder.appending("rcv\(index + 1).xftp"))
        }
        for (index, redirect) in part.redirects.enumerated() {
            guard let redirect else { continue }
            try write(redirect.recipient, folder.appending("redirect\(index + 1).xftp"))
            try write(redirect.sender, folder.appending("redirect\(index + 1).snd.xftp.private"))
        }
        try write(part.sender, folder.appending("snd.xftp.private"))
        try fileSystem.synchronizeDirectory(folder)
    }

    private func write(_ description: FileDescription, _ path: FilePath) throws {
        var file = try fileSystem.create(path)
        let yaml = try description.yaml()
        try unsafe yaml.withBytes { try unsafe file.write($0) }
        try file.synchronize()
        try file.close()
    }
}
