package import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseXFTPWire

/// The description that can delete a sent file, and its path.
package struct SenderDescription: Sendable {
    package let path: FilePath
    package let description: FileDescription

    private static let suffix = ".private"

    /// Reads a sender's description, or all of the folder `NAME.xftp`: those of the file or its parts, and of the
    /// descriptions behind short links.
    ///
    /// - Throws: ``FileTransferError``: `invalidLink` also for a recipient's description, and for a folder without any;
    ///   `FileError`; `SecretsError`.
    package static func read(
        at path: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws -> [SenderDescription] {
        guard try fileSystem.isDirectory(path) else { return [try SenderDescription(path, fileSystem)] }
        let found = try paths(in: path, fileSystem)
        guard !found.isEmpty else {
            throw FileTransferError(
                .invalidLink, .notFound,
                "no sender's description (snd.xftp.private) in this folder. Nothing was deleted.",
                subject: path.string)
        }
        return try found.map { try SenderDescription($0, fileSystem) }
    }

    private init(_ path: FilePath, _ fileSystem: FileSystem) throws {
        self.path = path
        description = try FileReference(file: path, fileSystem: fileSystem).description
        try description.checkIsSenders(path.string)
    }

    private static func paths(in folder: FilePath, _ fileSystem: FileSystem) throws -> [FilePath] {
        let entries = try fileSystem.list(folder)
        let parts = entries.filter { $0.kind == .directory }.compactMap(\.name).filter(isPart)
        return try own(entries, folder)
            + parts.flatMap { part in
                try own(fileSystem.list(folder.appending(part)), folder.appending(part))
            }
    }

    private static func own(_ entries: [DirectoryEntry], _ folder: FilePath) -> [FilePath] {
        entries.filter { $0.kind == .regular }.compactMap(\.name).filter { $0.hasSuffix(suffix) }
            .map { folder.appending($0) }
    }

    /// Whether it is a part's, `NAME.001.xftp`: of a folder with several sent files none is meant.
    private static func isPart(_ folder: String) -> Bool {
        guard folder.hasSuffix(".xftp") else { return false }
        let part = String(folder.dropLast(5))
        return FilePart.wholeName(part) != part
    }
}

extension FileDescription {
    /// - Throws: `FileTransferError`: `invalidLink`.
    func checkIsSenders(_ subject: String? = nil) throws {
        guard party == .sender else {
            throw FileTransferError.noLink(
                "this is a recipient's description. Nothing was deleted.", subject,
                remedy: .useSenderDescription)
        }
    }
}
