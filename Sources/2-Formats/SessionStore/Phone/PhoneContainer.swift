package import SystemPackage
import ValiseDatabase
package import ValiseFiles
package import ValiseSecrets

/// The shared folder of Session iOS, copied off a phone or extracted from a backup.
package struct PhoneContainer: Sendable {
    /// The folder that has `database` and `Attachments`.
    package let folder: FilePath
    private let fileSystem: FileSystem

    static let attachmentsName = "Attachments"

    /// - Throws: ``SessionStoreError`` with `missing` where it has no database; `FileError`.
    package init(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        self.folder = folder
        self.fileSystem = fileSystem
        guard try fileSystem.exists(database) else {
            throw SessionStoreError(.missing, "no folder of Session iOS", folder.string)
        }
    }

    /// With its log beside it, where there is one.
    package var database: FilePath { folder.appending("database").appending("Session.sqlite") }
    /// Attachments as they are, not encrypted.
    package var attachments: FilePath { folder.appending(Self.attachmentsName) }

    /// Opens the database: where it is, as long as nothing waits in files beside it; else from a private copy.
    ///
    /// - Parameters:
    ///   - key: of the database.
    ///   - workFolder: where a copy goes, which is removed with the store.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: ``SessionStoreError``: `wrongKey`, `inUse`, `damaged`, `newer`, `unsupported`; `FileError`; whatever `progress`
    ///   throws.
    package func open(
        key: PhoneKey, workFolder: FilePath, progress: (Int64) throws -> Void = { _ in }
    ) throws -> PhoneStore {
        let databaseKey = try key.databaseKey()
        let source = try FileSource(database, fileSystem: fileSystem)
        guard try databaseKey.opens(fileAt: database, fileSystem) else {
            throw SessionStoreError(
                .wrongKey, "the key does not open the database, or its beginning is damaged", database.string)
        }
        return try SessionStoreError.mapping {
            if try isComplete() {
                return try PhoneStore(
                    RollbackHeaderSource(source), key: databaseKey, holding: nil,
                    files: .folder(attachments, fileSystem))
            }
            let snapshot = DatabaseSnapshot(path: database, key: databaseKey, fileSystem: fileSystem)
            let copy = try snapshot.take(in: workFolder, progress: progress)
            let merged = try FileSource(fileSystem.openForReading(copy.database), as: database)
            return try PhoneStore(
                merged, key: databaseKey, holding: copy, files: .folder(attachments, fileSystem))
        }
    }

    /// Whether all of the content is in the database itself.
    private func isComplete() throws -> Bool {
        for suffix in DatabaseSnapshot.sides {
            let side = try fileSystem.attributes(of: database.appendingSuffix(suffix))
            if let side, side.size > 0 { return false }
        }
        return true
    }
}

extension SessionBackup {
    /// Opens the account where it is in the backup, without extracting anything.
    ///
    /// - Parameter password: of the backup.
    /// - Throws: as ``verifiedKey(password:)``; ``SessionStoreError``: `damaged`, `newer`, `unsupported`.
    package func open(password: borrowing SecretBytes) throws -> PhoneStore {
        let key = try verifiedKey(password: password).databaseKey()
        let files = try SessionBackupFiles(self)
        let database = try files.content(of: SessionBackupEntry.database)
        return try SessionStoreError.mapping {
            try PhoneStore(
                RollbackHeaderSource(database), key: key, holding: nil, files: .backup(files))
        }
    }
}
