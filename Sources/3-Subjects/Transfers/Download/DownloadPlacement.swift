import SystemPackage
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

/// Gives a file that was received and proved its name.
struct DownloadPlacement: Sendable {
    let target: DownloadTarget
    let options: DownloadOptions
    let journal: DownloadJournal
    let fileSystem: FileSystem

    /// So many names are tried where others are taken.
    private static let mostNumbers = 10_000
    private static let pieceSize = 1 << 20
    /// JSON of a key and a name, in bytes.
    private static let longestKey: Int64 = 64 << 10

    /// Sees to it that the file will find its place, before anything is received.
    static func checkPlace(
        _ target: DownloadTarget, _ options: DownloadOptions, _ fileSystem: FileSystem
    ) throws {
        guard try fileSystem.isDirectory(target.folder) else {
            throw FileError.noFolder(target.folder)
        }
        try fileSystem.checkMayChange(target.folder)
        if case .file(let path) = target {
            try PendingFile.checkPlace(path, fileSystem: fileSystem)
            if try !options.replacing && fileSystem.exists(path) {
                throw taken(path, remedy: .replaceFile(path))
            }
        }
        if let key = options.keyOutput { try checkKeyPlace(key, target, fileSystem) }
    }

    private static func checkKeyPlace(
        _ key: FilePath, _ target: DownloadTarget, _ fileSystem: FileSystem
    ) throws {
        guard try fileSystem.isDirectory(key.parentFolder) else {
            throw FileError.noFolder(
                key.parentFolder, "no such folder for the file's key. Nothing was received.")
        }
        do throws(FileError) {
            try fileSystem.checkMayChange(key.parentFolder)
        } catch {
            throw FileError(
                error.code,
                "cannot write the file's key to this folder. Nothing was received.",
                key.parentFolder, errno: error.errno)
        }
        if try fileSystem.exists(key) { throw taken(key) }
        guard case .file(let path) = target else { return }
        // Until it is whole the key has another name.
        for name in [key, PendingFile.partialPath(of: key)] where try areSame(path, name, fileSystem) {
            throw FileTransferError.invalid(
                "the file and its key cannot have the same name. Nothing was received.",
                subject: key.string)
        }
    }

    /// Whether two names, of which nothing is there yet, are one.
    private static func areSame(_ path: FilePath, _ other: FilePath, _ fileSystem: FileSystem) throws -> Bool
    {
        guard path.lastComponent == other.lastComponent, try fileSystem.isDirectory(other.parentFolder) else {
            return false
        }
        return try fileSystem.resolve(path.parentFolder) == fileSystem.resolve(other.parentFolder)
    }

    private static func taken(_ path: FilePath, remedy: Remedy = .chooseAnotherName) -> FileError {
        FileError(
            .alreadyExists, "already exists. Nothing was received.", path, remedy: remedy)
    }

    private static let lostBytes = FileTransferError.damaged(
        "the received file was truncated while it was being written", remedy: .giveCommandAgain)

    /// Makes the content durable, gives it its name, and removes what belonged to receiving it.
    ///
    /// It has not got its name yet when it stops because the task is cancelled.
    func publish(_ whole: JoinedParts) throws -> DownloadedFile {
        let content = try WorkFile(journal.content, fileSystem: fileSystem)
        guard try content.size() >= whole.size else { throw Self.lostBytes }
        try content.truncate(to: whole.size)
        let keys = journal.state.keys
        if let keys { try seal(content, size: whole.size, keys) }
        try content.synchronize()
        let path = try name(whole)
        try fileSystem.synchronizeDirectory(path.parentFolder)
        try journal.remove()
        return received(path, whole.size, whole.name, whole.singlePart)
    }

    private func received(_ path: FilePath, _ size: Int64, _ name: String, _ part: FilePart?)
        -> DownloadedFile
    {
        DownloadedFile(
            path: path, size: size, name: name,
            cryptoFile: journal.state.keys.map { CryptoFile(filePath: path.string, cryptoArgs: $0) },
            part: part)
    }

    /// Appends the tag of a file that is encrypted where it lies.
    private func seal(
        _ content: WorkFile, size: Int64, _ keys: CryptoFileArgs
    ) throws {
        let stream = try SecretBoxStream()
        stream.start(keys)
        let memory = ChunkMemory()
        var done: Int64 = 0
        while done < size {
            try Task.checkCancellation()
            memory.resize(to: Int(min(Int64(Self.pieceSize), size - done)))
            guard try unsafe content.fill(memory.bytes, at: done) else {
                throw Self.lostBytes
            }
            unsafe stream.authenticate(UnsafeRawBufferPointer(memory.bytes))
            done += Int64(memory.count)
        }
        try unsafe stream.tag().withUnsafeBytes { try unsafe content.write($0, at: size) }
    }

    // MARK: Names

    private func name(_ whole: JoinedParts) throws -> FilePath {
        switch target {
        case .file(let path):
            try give(path, whole)
            return path
        case .folder(let folder):
            let safe = ReceivedName.sanitised(whole.name)
            for number in 0..<Self.mostNumbers {
                let path = folder.appending(ReceivedName.numbered(safe, number))
                if try fileSystem.exists(path) { continue }
                do {
                    try give(path, whole)
                    return path
                } catch let error as FileError where error.code == .alreadyExists && error.path == path {}
            }
            throw Self.taken(folder.appending(safe))
        }
    }

    /// The key is durable before the file has its name, and taken back when it does not get it.
    private func give(_ path: FilePath, _ whole: JoinedParts) throws {
        let name = path.lastComponent?.string ?? path.string
        guard let content = try fileSystem.attributes(of: journal.content) else { throw Self.lostBytes }
        let publication = Publication(
            name: name, ownName: whole.name, size: whole.size,
            file: SourceIdentity(FilePath(name), content))
        try journal.append(.publishing(publication), durable: true)
        let key = try options.keyOutput.map { try CryptoKeyFile($0, fileSystem: fileSystem) }
        try key?.publish(CryptoFile(filePath: name, cryptoArgs: journal.state.keys))
        do {
            try rename(to: path)
        } catch {
            if try fileSystem.exists(journal.content) { key?.undo() }
            throw error
        }
    }

    private func rename(to path: FilePath) throws {
        guard case .file = target, options.replacing else {
            return try fileSystem.renameExclusively(journal.content, to: path)
        }
        try ReplaceableContent.like(journal.content, fileSystem: fileSystem).check(
            path, fileSystem: fileSystem)
        try fileSystem.rename(journal.content, to: path)
    }

    // MARK: After a crash

    /// Removes the key of a file that a killed run could not give its name any more.
    func removeKey() throws {
        guard journal.state.publishing != nil, let output = options.keyOutput, let keys = journal.state.keys,
            try fileSystem.exists(journal.content), try fileSystem.exists(output)
        else { return }
        let file = try fileSystem.openForReading(output)
        let size = try file.size()
        guard size <= Self.longestKey else { return }
        let text = try unsafe SecretBytes(capacity: Int(size)) { try unsafe file.read(into: $0, at: 0) }
        if let found = try? CryptoFileArgs(text: text), found.equals(keys) { try fileSystem.remove(output) }
    }

    /// The file that an earlier run had given its name when it was killed.
    func alreadyPublished() throws -> DownloadedFile? {
        guard let publication = journal.state.publishing, try !fileSystem.exists(journal.content) else {
            return nil
        }
        let path = target.folder.appending(publication.name)
        guard let found = try fileSystem.attributes(of: path), found.kind == .regular,
            SourceIdentity(FilePath(publication.name), found) == publication.file
        else { return nil }
        try fileSystem.synchronizeDirectory(path.parentFolder)
        let file = received(path, publication.size, publication.ownName, nil)
        try journal.remove()
        return file
    }
}
