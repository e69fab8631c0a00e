import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Takes one guard: beside its final name, proved, and then under its name.
struct GuardTaking: Sendable {
    let store: GuardedStore
    /// Where the guard goes.
    let folder: FilePath
    /// For the copy that is opened as a proof.
    let work: FilePath?
    /// Of this moment.
    let time: UTCTime
    /// Is told of progress.
    let context: OperationContext
    let fileSystem: FileSystem

    private static let partial = ".partial"
    /// In bytes, beside the copies.
    private static let reserve: Int64 = 8 << 20

    /// The time in names, such as `20260131T120000Z`.
    static func stamp(_ time: UTCTime) -> String {
        time.isoText.filter { $0 != "-" && $0 != ":" }
    }

    /// Where the guard will be.
    /// - Throws: `FileError`.
    func target() throws(FileError) -> FilePath {
        let first = folder.appending(store.name + GuardFolder.infix + Self.stamp(time))
        var (path, number) = (first, 1)
        while try fileSystem.exists(path) {
            number += 1
            path = first.appendingSuffix("-\(number)")
        }
        return path
    }

    /// What is copied, in bytes.
    /// - Throws: `FileError`.
    func size() throws(FileError) -> Int64 {
        var size: Int64 = 0
        for file in store.state.all {
            size += try fileSystem.attributes(of: store.folder.pushing(file))?.size ?? 0
        }
        return size
    }

    /// - Throws: `FileError`: `noSpace`, `notFound`.
    func checkSpace() throws(FileError) {
        guard try fileSystem.isDirectory(folder) else { throw FileError.noFolder(folder) }
        let needed = try size() + Self.reserve
        let free = try fileSystem.freeSpace(at: folder)
        guard free < needed else { return }
        throw FileError(
            .noSpace, "a guard needs \(Count.bytes(needed)), but only \(Count.bytes(free)) are free", folder,
            remedy: .freeSpace(needed - free, in: folder))
    }

    /// - Throws: `SessionStoreError`; ``OperationError``; `FileError`; `Interruption`. Nothing is left then.
    func run(_ secret: SessionSecret?) throws -> GuardFolder {
        try checkSpace()
        try Self.removeLeftovers(of: store.name, in: folder, fileSystem)
        let target = try target()
        let name = target.lastComponent?.string ?? ""
        let partial = folder.appending(".\(name)\(Self.partial)")
        try fileSystem.makeDirectory(partial)
        let lock = try GuardedStore.lock(partial)
        defer { extendLifetime(lock) }
        do {
            try fill(partial, secret)
            try fileSystem.renameExclusively(partial, to: target)
        } catch {
            try? fileSystem.removeTree(partial)
            throw error
        }
        try fileSystem.synchronizeDirectory(folder)
        return try GuardFolder(target, fileSystem)
    }

    private func fill(_ partial: FilePath, _ secret: SessionSecret?) throws {
        try SessionOpening(place: store.place, work: work).copyState(secret, to: partial, context.told)
        guard let copy = try SessionPlace.find(partial, fileSystem: fileSystem) else {
            throw OperationError(.failed, "the database was not copied", subject: partial.string)
        }
        let content = try GuardedContent(
            of: SessionOpening(place: copy, work: work).open(secret, context.told).snapshot, context.told)
        let attachments = try AttachmentTally(
            below: store.folder.pushing(store.state.attachments), fileSystem
        ) {
            try context.told(OperationProgress("counting attachments", completed: 0, unit: .items))
        }
        let record = GuardRecord(
            taken: time.isoText, program: store.place.kind, source: try source(), content: content,
            attachments: attachments, files: try files(in: partial))
        for file in record.files {
            try fileSystem.synchronizeDirectory(partial.pushing(FilePath(file.path)).parentFolder)
        }
        try record.write(in: partial, fileSystem)
    }

    private func source() throws -> GuardRecord.Source {
        let path = store.folder.pushing(store.state.database)
        guard let found = try fileSystem.attributes(of: path) else {
            throw OperationError(.failed, "the database was removed meanwhile", subject: path.string)
        }
        return GuardRecord.Source(path: store.folder.string, device: found.device, inode: found.inode)
    }

    private func files(in partial: FilePath) throws -> [GuardRecord.File] {
        try store.state.all.compactMap { file in
            let path = partial.pushing(file)
            guard let found = try fileSystem.attributes(of: path) else { return nil }
            return GuardRecord.File(
                path: file.string, size: found.size, sha256: try FileFingerprint.of(path, fileSystem))
        }
    }

    /// Removes what runs left that did not end well.
    /// - Throws: `FileError`.
    static func removeLeftovers(of name: String, in folder: FilePath, _ fileSystem: FileSystem) throws {
        let lead = ".\(name)\(GuardFolder.infix)"
        for entry in try fileSystem.list(folder) where entry.kind == .directory {
            guard let name = entry.name, name.hasPrefix(lead), name.hasSuffix(partial) else { continue }
            let path = folder.appending(name)
            // A run that writes it at this moment has it locked.
            guard let lock = try? DirectoryLock(path, .exclusive) else { continue }
            try fileSystem.removeTree(path)
            extendLifetime(lock)
        }
    }

    /// Takes a guard out of sight in one step, and removes it then. What a kill leaves is removed with other leftovers.
    /// - Throws: `FileError`.
    static func discard(_ path: FilePath, _ fileSystem: FileSystem) throws {
        let hidden = path.parentFolder.appending(".\(path.lastComponent?.string ?? "")\(partial)")
        try fileSystem.renameExclusively(path, to: hidden)
        try fileSystem.synchronizeDirectory(path.parentFolder)
        try fileSystem.removeTree(hidden)
    }
}
