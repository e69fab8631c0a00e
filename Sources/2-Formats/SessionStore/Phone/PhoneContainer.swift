package import SystemPackage
import ValiseDatabase
package import ValiseFiles
package import ValiseSecrets

/// The shared folder of Session iOS, copied off a phone or extracted from a backup.
package struct PhoneContainer: Sendable {
    /// The folder that has `database` and `Attachments`.
    package let folder: FilePath
    let fileSystem: FileSystem

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
    package var database: FilePath { folder.pushing(SessionStateFiles.phone.database) }
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
        let state = try state(key, workFolder, progress)
        return try SessionStoreError.mapping { try state.store(state.database) }
    }

    /// The same for several threads, which share the copy.
    package func snapshot(
        key: PhoneKey, workFolder: FilePath, progress: (Int64) throws -> Void = { _ in }
    ) throws -> SessionSnapshot {
        let state = try state(key, workFolder, progress)
        return SessionSnapshot(state.database, making: state.store)
    }

    /// Copies the database with its log as they are, from one consistent state, and the key that came with a backup, where there
    /// is one. What is copied is a folder without attachments.
    ///
    /// - Parameters:
    ///   - key: of the database. It is stored nowhere.
    ///   - target: a folder that is there and empty.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: as ``open(key:workFolder:progress:)``.
    package func copyState(key: PhoneKey, to target: FilePath, progress: (Int64) throws -> Void) throws {
        let databaseKey = try verified(key)
        let copy = target.pushing(SessionStateFiles.phone.database)
        try fileSystem.makeDirectory(copy.parentFolder)
        try DatabaseSnapshot(path: database, key: databaseKey, fileSystem: fileSystem)
            .keep(at: copy, progress: progress)
        guard try hasIncludedKey() else { return }
        let keyCopy = target.pushing(SessionStateFiles.phone.key)
        try fileSystem.makeDirectory(keyCopy.parentFolder)
        try fileSystem.copy(includedKey, to: keyCopy)
    }

    /// What opens the database, which was tried on the first page.
    private func verified(_ key: PhoneKey) throws -> SessionDatabaseKey {
        let databaseKey = try key.databaseKey()
        guard try databaseKey.opens(fileAt: database, fileSystem) else {
            throw SessionStoreError(
                .wrongKey, "the key does not open the database, or its beginning is damaged", database.string)
        }
        return databaseKey
    }

    /// A database without a log, and what opens it.
    private typealias State = (
        database: SessionDatabase, store: @Sendable (SessionDatabase) throws -> PhoneStore
    )

    private func state(
        _ key: PhoneKey, _ workFolder: FilePath, _ progress: (Int64) throws -> Void
    ) throws -> State {
        let source = try FileSource(database, fileSystem: fileSystem)
        let databaseKey = try verified(key)
        let files = AttachmentFiles.folder(attachments, fileSystem)
        if try isComplete() {
            return (
                SessionDatabase(RollbackHeaderSource(source), key: databaseKey),
                { try PhoneStore($0, holding: nil, files: files) }
            )
        }
        let snapshot = DatabaseSnapshot(path: database, key: databaseKey, fileSystem: fileSystem)
        let copy = try snapshot.take(in: workFolder, progress: progress)
        let merged = try FileSource(fileSystem.openForReading(copy.database), as: database)
        return (
            SessionDatabase(merged, key: databaseKey), { try PhoneStore($0, holding: copy, files: files) }
        )
    }

    /// The key of the database that came with a backup of the app, which was extracted to here.
    ///
    /// - Parameter password: of the backup.
    /// - Returns: nil where the folder has none.
    /// - Throws: ``SessionStoreError``: `wrongKey`, `damaged`; `FileError`; `SecretsError`.
    package func includedKey(password: borrowing SecretBytes) throws -> PhoneKey? {
        guard try hasIncludedKey() else { return nil }
        let source = try FileSource(includedKey, fileSystem: fileSystem)
        return try PhoneKey(IncludedKey.read(source, password: password))
    }

    /// Whether it has such a key.
    /// - Throws: `FileError`.
    package func hasIncludedKey() throws -> Bool {
        try fileSystem.attributes(of: includedKey)?.kind == .regular
    }

    private var includedKey: FilePath { folder.pushing(FilePath(SessionBackupEntry.key)) }

    /// Whether all of the content is in the database itself, so that it is read where it is.
    /// - Throws: `FileError`.
    package func isComplete() throws -> Bool {
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
        let (database, files) = try state(password)
        return try SessionStoreError.mapping {
            try PhoneStore(database, holding: nil, files: .backup(files))
        }
    }

    /// The same for several threads.
    ///
    /// - Parameters:
    ///   - password: of the backup.
    ///   - workFolder: where the database is copied to, encrypted as it is, for who reads all of it: in the backup a page can only be
    ///     had with many others. Nil for no copy; there is none either where no space for it is left.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: as ``open(password:)``; `FileError`; whatever `progress` throws.
    package func snapshot(
        password: borrowing SecretBytes, workFolder: FilePath? = nil,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> SessionSnapshot {
        let (database, files) = try state(password)
        if let workFolder, let (copy, source) = try copy(database.source, in: workFolder, progress) {
            return SessionSnapshot(database.with(source)) {
                try PhoneStore($0, holding: copy, files: .backup(files))
            }
        }
        return SessionSnapshot(database) { try PhoneStore($0, holding: nil, files: .backup(files)) }
    }

    /// In bytes.
    private static let piece = 1 << 20

    private func copy(
        _ database: any ByteSource, in folder: FilePath, _ progress: (Int64) throws -> Void
    ) throws -> (PrivateCopy, FileSource)? {
        let fileSystem = FileSystem()
        guard try fileSystem.freeSpace(at: folder) - database.size > DatabaseSnapshot.reserve else {
            return nil
        }
        let copy = try PrivateCopy(in: folder, fileSystem)
        var file = try fileSystem.create(copy.database)
        var offset: Int64 = 0
        while offset < database.size {
            let bytes = try database.bytes(at: offset, upTo: Self.piece)
            guard !bytes.isEmpty else {
                throw SessionStoreError(.damaged, "the database ends too early", database.path.string)
            }
            try file.write(bytes)
            offset += Int64(bytes.count)
            try progress(Int64(bytes.count))
        }
        try file.close()
        return (copy, try FileSource(fileSystem.openForReading(copy.database), as: database.path))
    }

    private func state(
        _ password: borrowing SecretBytes
    ) throws -> (SessionDatabase, SessionBackupFiles) {
        let key = try verifiedKey(password: password).databaseKey()
        let files = try SessionBackupFiles(self)
        let source = RollbackHeaderSource(try files.content(of: SessionBackupEntry.database))
        // A frame has many pages, and is decrypted as a whole.
        return (SessionDatabase(source, key: key, workers: 1), files)
    }
}
