package import SystemPackage
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// A private copy of a database as of its last committed transaction.
///
/// A hot journal or a write-ahead log belongs to the database's content. It is folded in on the copy; the
/// originals are never opened for that, because a mistake there could not be undone.
package enum DatabaseCopy {
    /// Copies and folds.
    ///
    /// - Parameters:
    ///   - file: the database as it was looked at under a lock.
    ///   - target: must not be there yet.
    ///   - passphrase: nil where it is not known: enough for a journal, not for a write-ahead log.
    ///   - foldsAlways: also where no side file says so.
    ///   - fileSystem: where files are read and written.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: `DatabaseError`; ``AccountError``; `FileError`; whatever `progress` throws.
    package static func make(
        of file: DatabaseFile, at target: FilePath, passphrase: borrowing SecretBytes?,
        foldsAlways: Bool = false, fileSystem: FileSystem, progress: (Int64) throws -> Void = { _ in }
    ) throws {
        try fileSystem.copy(file.path, to: target, progress: progress)
        guard file.needsFolding || foldsAlways else { return }
        for suffix in ["-journal", "-wal"] {
            let side = file.path.appendingSuffix(suffix)
            if try fileSystem.exists(side) { try fileSystem.copy(side, to: target.appendingSuffix(suffix)) }
        }
        try foldIn(target, of: file, passphrase: passphrase, fileSystem: fileSystem)
        try fileSystem.openForUpdating(target).synchronize()
    }

    /// Folds in what lies beside a copy.
    ///
    /// - Parameters:
    ///   - copy: the copy, with copies of the side files. It is not flushed.
    ///   - file: what it was made of, as it was looked at under a lock.
    ///   - passphrase: as for ``make(of:at:passphrase:foldsAlways:fileSystem:progress:)``.
    /// - Throws: as ``make(of:at:passphrase:foldsAlways:fileSystem:progress:)``.
    static func foldIn(
        _ copy: FilePath, of file: DatabaseFile, passphrase: borrowing SecretBytes?, fileSystem: FileSystem
    ) throws {
        try fold(copy, file, passphrase)
        for suffix in DatabaseFile.sideSuffixes {
            let side = copy.appendingSuffix(suffix)
            if try fileSystem.exists(side) { try fileSystem.remove(side) }
        }
    }

    private static func fold(
        _ copy: FilePath, _ file: DatabaseFile, _ passphrase: borrowing SecretBytes?
    ) throws {
        if file.form == .unencrypted {
            return try foldOpen(copy, passphrase: SecretBytes.empty())
        }
        switch passphrase {
        case .some(let passphrase): try foldOpen(copy, passphrase: passphrase)
        case nil:
            guard file.walSize == nil else {
                throw AccountError(
                    .wrongPassphrase,
                    "the database has a write-ahead log, which needs the passphrase to be merged",
                    file.path, remedy: .givePassphrase)
            }
            let journal = copy.appendingSuffix("-journal")
            try JournalRecovery.rollBack(copy) { () throws(DatabaseError) in
                (try? FileSystem().attributes(of: journal)?.size ?? 0) == 0
            }
        }
    }

    private static func foldOpen(_ copy: FilePath, passphrase: borrowing SecretBytes) throws {
        let connection = try Connection(copy, mode: .readWrite, passphrase: passphrase)
        guard try connection.useRollbackJournal() else {
            throw AccountError(.failed, "cannot merge the write-ahead log", copy)
        }
    }
}
