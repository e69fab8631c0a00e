import SystemPackage
import ValiseFiles

/// What an upload sends in this run, and how it is known to be the same as before.
struct UploadSubject: Sendable {
    let source: any ByteSource
    let identity: UploadSource
    /// The name that travels with it where the caller gives no other.
    let name: String
    /// - Throws: ``FileTransferError``: `sourceChanged`; errors of looking.
    let checkUnchanged: @Sendable () throws -> Void

    /// - Throws: ``FileError``.
    init(_ path: FilePath, fileSystem: FileSystem) throws {
        let source = try FileSource(path, fileSystem: fileSystem)
        let resolved = try fileSystem.resolve(path)
        let identity = SourceIdentity(resolved, try source.attributes())
        self.source = source
        self.identity = .file(identity)
        name = resolved.lastComponent?.string ?? ""
        checkUnchanged = {
            guard SourceIdentity(resolved, try source.attributes()) == identity else {
                throw FileTransferError.sourceChanged(identity.path)
            }
        }
    }

    /// - Throws: ``FileTransferError``: `invalid`.
    init(_ content: UploadContent) throws {
        guard content.version.count == UploadContent.versionSize else {
            throw FileTransferError.invalid(
                "the content version must have \(UploadContent.versionSize) bytes. Nothing was sent.")
        }
        guard !content.id.isEmpty else {
            throw FileTransferError.invalid("the content has no ID. Nothing was sent.")
        }
        source = content.source
        identity = .content(
            ContentIdentity(id: content.id, version: content.version, size: content.source.size))
        name = content.name
        checkUnchanged = {
            do {
                try content.checkUnchanged()
            } catch let error as FileError {
                // It could not be looked at, which says nothing of the content: a later run looks again.
                throw error
            } catch {
                throw FileTransferError.sourceChanged(content.name, cause: error)
            }
        }
    }
}
