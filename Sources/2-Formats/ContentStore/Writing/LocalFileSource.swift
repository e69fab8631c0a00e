import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseFiles

/// A file while it is uploaded: it must stay as it is.
final class LocalFileSource: Sendable {
    let file: FileSource
    let path: FilePath
    let attributes: FileAttributes

    /// - Throws: `FileError`: `unsupported` for anything but a regular file.
    init(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        self.path = path
        file = try FileSource(path, fileSystem: fileSystem)
        attributes = try file.attributes()
    }

    var size: Int64 { file.size }

    /// The full mode, as manifests have it.
    var mode: UInt32 { 0o100000 | UInt32(attributes.permissions.rawValue) & 0o7777 }

    var modified: ModificationTime {
        ModificationTime(
            seconds: attributes.modificationTime,
            nanoseconds: UInt32(clamping: attributes.modificationNanoseconds))
    }

    /// The digest of the content.
    /// - Throws: `CryptographyError`; `FileError`; whatever `progress` throws.
    func digest(_ name: String, _ progress: ProgressHandler) throws -> ContentDigest {
        ContentDigest(
            digest: try BLAKE3.hash(file) { done in
                try progress(.file(name, "hashing", completed: done, total: size))
            })
    }

    /// - Throws: ``ContentStoreError``: `conflict` where the file was changed since it was opened.
    func checkUnchanged(_ digest: ContentDigest, _ stored: ContentDigest) throws {
        guard digest == stored, try file.attributes().isUnchanged(since: attributes) else {
            throw ContentStoreError(
                .conflict, "the file was changed while it was uploaded. The store has its previous version.",
                path.string)
        }
    }
}
