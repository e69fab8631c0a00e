package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// A download that was begun, as its folder says beside the target.
package struct InterruptedDownload: Sendable, Equatable {
    /// Whether the file is whole and only gets its name.
    package let isPublishing: Bool
    /// Whether another run is at it.
    package let isRunning: Bool
}

extension FileTransfers {
    /// The folder in which a file is received until it is whole. Nothing is looked at.
    ///
    /// - Parameters:
    ///   - references: as they are given to ``downloadStandaloneFile(_:to:_:report:)``, as is the target.
    ///   - isEncrypted: whether the file is to be encrypted where it lies.
    package static func receivingFolder(
        of references: [FileReference], to target: DownloadTarget, isEncrypted: Bool
    ) -> FilePath {
        let identity = DownloadIdentity.of(references.map(\.description))
        return DownloadJournal.folder(
            in: target.folder, DownloadRequest(identity: identity, isEncrypted: isEncrypted))
    }

    /// What is in such a folder.
    ///
    /// - Returns: nil where nothing was received, or nothing is left of it.
    /// - Throws: `FileError`; ``FileTransferError``.
    package static func interruptedDownload(
        in folder: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws -> InterruptedDownload? {
        do {
            return try DownloadJournal.look(in: folder, fileSystem: fileSystem)
        } catch let error as FileError where error.code == .notFound {
            // Another run has just finished it.
            return nil
        }
    }
}
