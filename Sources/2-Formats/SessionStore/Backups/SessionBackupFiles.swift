import SystemPackage
import ValiseFiles

/// The files of a backup by their paths, found in one pass.
struct SessionBackupFiles: Sendable {
    private let backup: SessionBackup
    private let entries: [String: ListedEntry]

    /// - Throws: as ``SessionBackup/list(progress:)``.
    init(_ backup: SessionBackup) throws {
        self.backup = backup
        entries = try Dictionary(backup.entries().map { ($0.entry.path, $0) }) { first, _ in first }
    }

    var path: FilePath { backup.source.path }

    /// The content of one file, to be read at any place where it is.
    /// - Throws: ``SessionStoreError``: `missing`; `unsupported` for a content that is not in full frames.
    func content(of path: String) throws -> any ByteSource {
        guard let listed = entries[path] else {
            throw SessionStoreError(.missing, "the backup does not contain \(path)", self.path.string)
        }
        guard listed.isRegular else {
            throw SessionStoreError(
                .unsupported, "the content is not in full frames, and can only be extracted", path)
        }
        return SessionBackupContent(listed.entry, of: backup.source, key: backup.key)
    }
}

/// A file of a backup, and how its content is divided.
struct ListedEntry: Sendable {
    let entry: SessionBackupEntry
    /// Whether all frames of its content but the last are full.
    let isRegular: Bool
}
