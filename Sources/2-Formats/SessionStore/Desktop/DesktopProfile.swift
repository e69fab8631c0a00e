package import SystemPackage
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// A profile folder of Session Desktop, or a copy of one.
package struct DesktopProfile: Sendable {
    /// The folder that has `config.json`.
    package let folder: FilePath
    let fileSystem: FileSystem

    /// - Throws: ``SessionStoreError`` with `missing` where it has no database; `FileError`.
    package init(_ folder: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        self.folder = folder
        self.fileSystem = fileSystem
        guard try fileSystem.exists(database) else {
            throw SessionStoreError(.missing, "no profile of Session Desktop", folder.string)
        }
    }

    var configuration: FilePath { folder.pushing(Self.files.key) }
    /// With its log beside it.
    package var database: FilePath { folder.pushing(Self.files.database) }
    /// Encrypted attachments, in folders by the first characters of their names.
    package var attachments: FilePath { folder.pushing(Self.files.attachments) }

    private static let files = SessionStateFiles.desktop

    /// Whether the user set a password, which is then needed.
    /// - Throws: ``SessionStoreError``: `missing`, `damaged`; `FileError`.
    package func asksForPassword() throws -> Bool {
        try DesktopConfiguration.read(configuration, fileSystem).hasPassword
    }

    /// Opens one consistent state of the database, from a private copy: the program may go on writing.
    ///
    /// - Parameters:
    ///   - password: nil where the user gave none.
    ///   - workFolder: where the copy goes, which is removed with the store.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: ``SessionStoreError``: `noKey` where a password is needed, `wrongKey`, `inUse` where the program does not stop
    ///   changing the database, `damaged`, `newer`, `unsupported`; `FileError`; whatever `progress` throws.
    package func open(
        password: borrowing SecretBytes?, workFolder: FilePath, progress: (Int64) throws -> Void = { _ in }
    ) throws -> DesktopStore {
        let state = try state(password, workFolder, progress)
        return try SessionStoreError.mapping { try state.store(state.database) }
    }

    /// The same for several threads, which share the copy.
    package func snapshot(
        password: borrowing SecretBytes?, workFolder: FilePath, progress: (Int64) throws -> Void = { _ in }
    ) throws -> SessionSnapshot {
        let state = try state(password, workFolder, progress)
        return SessionSnapshot(state.database, making: state.store)
    }

    /// The same where it is, for who reads little of it.
    ///
    /// - Returns: nil where a program may be using the database, or has just used it.
    /// - Throws: as ``snapshot(password:workFolder:progress:)``. Once a program changes the database, whatever is read of it throws
    ///   `inUse`.
    package func settledSnapshot(password: borrowing SecretBytes?) throws -> SessionSnapshot? {
        guard try isSettled() else { return nil }
        let (key, isOlder) = try verifiedKey(password: password)
        let settled = try SessionStoreError.ofPages(in: database) {
            guard let source = try SettledSource(database, fileSystem) else { return nil as SessionDatabase? }
            return try SessionDatabase(verifying: source, key: key)
        }
        guard let settled else { return nil }
        let files = AttachmentFiles.folder(attachments, fileSystem)
        return SessionSnapshot(settled) {
            try DesktopStore($0, holding: nil, files: files, warnings: isOlder ? [.olderCipher] : [])
        }
    }

    /// Whether nobody seems to use the database.
    /// - Throws: `FileError`.
    package func isSettled() throws -> Bool { try SettledSource.isSettled(database, fileSystem) }

    /// Copies the database with its log and the configuration as they are, from one consistent state: the program may go on
    /// writing. What is copied is a profile without attachments.
    ///
    /// - Parameters:
    ///   - password: nil where the user gave none.
    ///   - target: a folder that is there and empty.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: as ``open(password:workFolder:progress:)``.
    package func copyState(
        password: borrowing SecretBytes?, to target: FilePath, progress: (Int64) throws -> Void
    ) throws {
        let (key, _) = try verifiedKey(password: password)
        let copy = target.pushing(Self.files.database)
        try fileSystem.makeDirectory(copy.parentFolder)
        try DatabaseSnapshot(path: database, key: key, fileSystem: fileSystem).keep(
            at: copy, progress: progress)
        guard try fileSystem.exists(configuration) else { return }
        try fileSystem.copy(configuration, to: target.pushing(Self.files.key))
    }

    /// A copy of the database, and what opens it.
    private typealias State = (
        database: SessionDatabase, store: @Sendable (SessionDatabase) throws -> DesktopStore
    )

    private func state(
        _ password: borrowing SecretBytes?, _ workFolder: FilePath, _ progress: (Int64) throws -> Void
    ) throws -> State {
        let (key, isOlder) = try verifiedKey(password: password)
        let snapshot = DatabaseSnapshot(path: database, key: key, fileSystem: fileSystem)
        let copy = try snapshot.take(in: workFolder, progress: progress)
        let source = try FileSource(fileSystem.openForReading(copy.database), as: database)
        return (
            SessionDatabase(source, key: key),
            {
                try DesktopStore(
                    $0, holding: copy, files: .folder(attachments, fileSystem),
                    warnings: isOlder ? [.olderCipher] : [])
            }
        )
    }

    /// The key, which was tried on the first page.
    func verifiedKey(
        password: borrowing SecretBytes?
    ) throws -> (key: SessionDatabaseKey, isOlder: Bool) {
        let (key, what) = try key(password: password)
        if try key.opens(fileAt: database, fileSystem) { return (key, false) }
        if try key.forSQLCipher3.opens(fileAt: database, fileSystem) { return (key.forSQLCipher3, true) }
        throw SessionStoreError(
            .wrongKey, "\(what) does not open the database, or its beginning is damaged", database.string)
    }

    /// With a password nothing of the configuration is needed.
    private func key(password: borrowing SecretBytes?) throws -> (key: SessionDatabaseKey, what: String) {
        switch password {
        case .some(let password):
            guard !password.isEmpty else { throw noKey() }
            return (SessionDatabaseKey(try DesktopKey.passphrase(of: password)), "the password")
        case nil:
            let configuration = try DesktopConfiguration.read(configuration, fileSystem)
            guard !configuration.hasPassword else { throw noKey() }
            return (try key(of: configuration), "the key in config.json")
        }
    }

    private func key(of configuration: borrowing DesktopConfiguration) throws -> SessionDatabaseKey {
        switch configuration.key {
        case .some(let key): return SessionDatabaseKey(try key.rawKey())
        case nil:
            throw SessionStoreError(
                .noKey, "the configuration of Session Desktop has no key", folder.string,
                remedy: .givePassphrase)
        }
    }

    private func noKey() -> SessionStoreError {
        SessionStoreError(
            .noKey, "the database is encrypted with a password", database.string, remedy: .givePassphrase)
    }
}
