import SystemPackage
import ValiseFailures
import ValiseFiles

/// Where the files of a store's attachments are.
enum AttachmentFiles {
    /// Below a folder.
    case folder(FilePath, FileSystem)
    /// In a backup.
    case backup(SessionBackupFiles)

    /// What errors call the place.
    var path: FilePath {
        switch self {
        case .folder(let path, _): path
        case .backup(let files): files.path.appending(PhoneContainer.attachmentsName)
        }
    }

    /// - Throws: ``SessionStoreError``: `missing`; `damaged` for a path that leaves the folder; `FileError`.
    func content(of attachment: SessionAttachment) throws -> any ByteSource {
        switch attachment.place {
        case .absent(let state):
            throw SessionStoreError(
                .missing, "the attachment was not received: \(state)", attachment.fileName)
        case .unsafe:
            throw SessionStoreError(
                .damaged, "the path of the attachment leaves the folder of attachments", attachment.fileName)
        case .file(let name, _): return try content(name)
        }
    }

    private func content(_ name: FilePath) throws -> any ByteSource {
        switch self {
        case .backup(let files):
            return try files.content(of: "\(PhoneContainer.attachmentsName)/\(name.string)")
        case .folder(let folder, let fileSystem):
            let path = folder.pushing(name)
            do throws(FileError) {
                return try FileSource(path, fileSystem: fileSystem)
            } catch {
                guard error.code == .notFound else { throw error }
                throw SessionStoreError(.missing, "the file of the attachment is missing", path.string)
            }
        }
    }
}
