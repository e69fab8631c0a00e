import AccountMedia
import CryptoFiles
import Failures
import Files
import SystemPackage

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

    /// - Returns: why the file has to stay as it is; nil when it was converted.
    /// - Throws: what ends the whole act: a full disk, an interruption.
    func convert(_ job: MediaJob, progress: (Int64) throws -> Void = { _ in }) throws -> MediaJob.Problem? {
        let source: FileSource
        do {
            source = try FileSource(store.path(job.name), fileSystem: fileSystem)
        } catch {
            return .init(reason: .unreadable, message: error.message)
        }
        let found = try source.attributes()
        if direction == .encrypt, found.links > 1 {
            return .init(
                reason: .hardLinked,
                message: "it has \(found.links) names (hard links) and would stay plain under the others")
        }
        guard let target = staging.path(of: job) else {
            throw MediaEncryptionError(.failed, "no folder was prepared for this file", subject: job.path)
        }
        do {
            try convert(source, found, to: target, job, progress)
            return nil
        } catch let error as CryptoFileError where error.code == .damaged {
            try fileSystem.remove(target)
            return .init(
                reason: .damaged,
                message: "its key does not fit, or it is damaged; 'valise media audit' tells more")
        } catch let error as FileError where error.path == source.path && error.code != .noSpace {
            try fileSystem.remove(target)
            return .init(reason: .unreadable, message: error.message)
        }
    }

    private func convert(
        _ source: FileSource, _ found: FileAttributes, to target: FilePath, _ job: MediaJob,
        _ progress: (Int64) throws -> Void
    ) throws {
        let writer = ParallelWriter(try fileSystem.create(target, permissions: found.permissions))
        switch direction {
        case .encrypt:
            try cipher.encrypt(source, to: writer, job.args, progress: progress)
            // The plain file goes for this one: what the system reads back is proved first.
            try cipher.verify(FileSource(target, fileSystem: fileSystem), job.args)
        case .decrypt:
            try cipher.decrypt(source, to: writer, job.args, progress: progress)
        }
        // Programs sort media by their times.
        try writer.setModificationTime(found.modificationTime)
        writer.startWriteback()
    }
}
