import SystemPackage
import ValiseAccounts
import ValiseCryptoFiles
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Writes the converted form of files, one after the other.
struct MediaConverter {
    private let direction: MediaDirection
    private let store: MediaFolder
    private let staging: MediaStaging
    private let cipher: CryptoFileCipher
    private let fileSystem: FileSystem

    init(
        _ direction: MediaDirection, _ store: MediaFolder, _ staging: MediaStaging, workers: Int,
        _ fileSystem: FileSystem
    ) throws {
        self.direction = direction
        self.store = store
        self.staging = staging
        self.fileSystem = fileSystem
        cipher = try CryptoFileCipher(workers: workers)
    }

    /// - Throws: what ends the whole operation: a full disk, an interruption.
    func convert(
        _ job: MediaJob, progress: (Int64) throws -> Void = { _ in }
    ) throws -> MediaJob.Outcome {
        let source: FileSource
        do {
            source = try FileSource(store.path(job.name), fileSystem: fileSystem)
        } catch {
            return .left(.unreadable, Remark(error))
        }
        let found = try source.attributes()
        // Removed since it was opened.
        guard found.links > 0 else { return .left(.unreadable, "does not exist any more") }
        guard found.links == 1 else {
            return .left(
                .hardLinked,
                "has \(Count.text(found.links, "hard link")) and would stay unchanged under the other names")
        }
        guard let target = staging.path(of: job) else {
            throw MediaEncryptionError(.failed, "no folder was prepared for this file", subject: job.path)
        }
        do {
            try convert(source, found, to: target, job, progress)
            return .converted(found)
        } catch let error as CryptoFileError where error.code == .damaged {
            try fileSystem.remove(target)
            return .left(
                .damaged,
                Remark(
                    "wrong key, or damaged file",
                    remedy: .auditMedia(Remedy.Account(store.location))))
        } catch let error as FileError where error.path == source.path && error.code != .noSpace {
            try fileSystem.remove(target)
            return .left(.unreadable, Remark(error))
        }
    }

    private func convert(
        _ source: FileSource, _ found: FileAttributes, to target: FilePath, _ job: MediaJob,
        _ progress: (Int64) throws -> Void
    ) throws {
        let file = try fileSystem.create(target)
        // Whoever may read the file now may do so afterwards, the app of another user too.
        try file.setOwner(found.owner, group: found.group)
        try file.setPermissions(found.permissions)
        let writer = ParallelWriter(file)
        switch direction {
        case .encrypt:
            try cipher.encrypt(source, to: writer, job.args, progress: progress)
            try verifyWritten(target, job) { try progress(job.contentSize) }
        case .decrypt:
            try cipher.decrypt(source, to: writer, job.args, progress: progress)
        }
        // By its time the journal knows whether the previous file is still the same; and programs sort media by it.
        try writer.setModificationTime(
            found.modificationTime, nanoseconds: found.modificationNanoseconds)
        writer.startWriteback()
    }

    /// The unencrypted file goes for this one: what the system reads back is proved first.
    private func verifyWritten(_ target: FilePath, _ job: MediaJob, _ look: () throws -> Void) throws {
        do {
            try cipher.verify(FileSource(target, fileSystem: fileSystem), job.args) { _ in try look() }
        } catch let error as CryptoFileError {
            throw MediaEncryptionError(
                .failed,
                "the written data reads back differently, so disk or memory is faulty; the unencrypted file is intact",
                subject: job.path, cause: error)
        }
    }
}
