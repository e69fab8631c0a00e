package import SystemPackage
package import ValiseFiles
package import ValiseSecrets

/// All files of a store of Session as of one moment, for who keeps them byte for byte.
///
/// The database and its log are a private copy, which goes with this object: together they are one state, also while the program
/// runs. The index of the log (`-shm`) is no part of it: whoever opens the database makes it anew.
///
/// Of a profile of Desktop the account is `config.json`, `sql` and `attachments.noindex`. What else is in the folder belongs to the
/// browser that the program is built on: its caches, cookies and local storage. The program fills them anew, they are large and
/// change all the time, and a copy of them while it runs would be of no one moment. Of the folder of Session iOS all is kept. Where
/// the folder of attachments is a symbolic link, what it leads to is kept in its place.
package final class SessionFiles: Sendable {
    /// A file that is kept.
    package struct File: Sendable {
        /// In the folder, with slashes.
        package let name: String
        /// Where its bytes are: those of the database and its log in the copy.
        package let path: FilePath
        /// Of the file itself.
        package let attributes: FileAttributes
        /// Of what is kept, in bytes.
        package let size: Int64
        /// Whether it is the database or its log.
        package let isOfDatabase: Bool

        /// Its bytes.
        /// - Throws: `FileError`.
        package func open() throws(FileError) -> FileSource { try FileSource(path) }
    }

    package let kind: SessionKind
    package let folder: FilePath
    /// In the order of the bytes of their names.
    package let files: [File]
    /// Names of what is no regular file, or whose name is not UTF-8. Other links than that of the attachments are not followed.
    package let leftOut: [String]
    package let facts: SessionFacts
    /// What is wrong with the database; nil for nothing, and where nobody looked.
    package let damage: String?
    private let copy: PrivateCopy
    private let places: [String: Int]

    /// - Parameters:
    ///   - key: nil where it is not known.
    ///   - workFolder: where the copy of the database goes.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    init(
        _ kind: SessionKind, in folder: FilePath, key: SessionDatabaseKey?, workFolder: FilePath,
        _ fileSystem: FileSystem, progress: (Int64) throws -> Void
    ) throws {
        self.kind = kind
        self.folder = folder
        let database = folder.pushing(FilePath(kind.database))
        let snapshot = DatabaseSnapshot(path: database, key: key, fileSystem: fileSystem)
        let copy = try snapshot.takeFiles(in: workFolder, progress: progress)
        var list = SessionFileList(kind, folder, fileSystem)
        // What opens the copy may make files beside it.
        try list.add(databaseCopy: copy.database)
        let proof = try key.map { key in
            let proof = SessionProof(
                kind: kind, key: key, copy: copy.database, name: database, fileSystem: fileSystem)
            return try proof.run { try progress(0) }
        }
        // What comes in meanwhile is more than the database knows, which does no harm.
        try list.addOthers()
        let files = list.files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.copy = copy
        self.files = files
        leftOut = list.leftOut
        damage = proof?.damage
        var facts = proof?.facts ?? SessionFacts(kind)
        facts.attachments = list.attachments
        self.facts = facts
        places = Dictionary(files.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// A file by its name.
    package subscript(name: String) -> File? { places[name].map { files[$0] } }

    /// Of all files, in bytes.
    package var size: Int64 { files.reduce(0) { $0 + $1.size } }
}

extension DesktopProfile {
    /// All files of the account as of one moment.
    ///
    /// - Parameters:
    ///   - password: nil where none is known. Then the database is opened with the key in `config.json`, or not at all.
    ///   - workFolder: where a copy of the database goes.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: ``SessionStoreError``: `wrongKey`; `noKey` where a program may be using the database, and its key is not known;
    ///   `inUse` where the program does not stop changing it; `damaged` for the configuration; `FileError`; whatever
    ///   `progress` throws.
    package func files(
        password: borrowing SecretBytes?, workFolder: FilePath, progress: (Int64) throws -> Void = { _ in }
    ) throws -> SessionFiles {
        var key: SessionDatabaseKey?
        do {
            key = try verifiedKey(password: password).key
        } catch let error as SessionStoreError where [.noKey, .missing].contains(error.kind) {
            key = nil
        }
        return try SessionFiles(
            .desktop, in: folder, key: key, workFolder: workFolder, fileSystem, progress: progress)
    }
}

extension PhoneContainer {
    /// All files of the container as of one moment.
    ///
    /// - Parameters:
    ///   - key: of the database; nil where it is not known.
    ///   - workFolder: where a copy of the database goes.
    ///   - progress: gets the bytes copied since the last call; throw to stop.
    /// - Throws: ``SessionStoreError``: `wrongKey`; `noKey` where a program may be using the database, and its key is not known;
    ///   `inUse`; `FileError`; whatever `progress` throws.
    package func files(
        key: PhoneKey?, workFolder: FilePath, progress: (Int64) throws -> Void = { _ in }
    ) throws -> SessionFiles {
        let databaseKey = try key?.databaseKey()
        if let databaseKey, try !databaseKey.opens(fileAt: database, fileSystem) {
            throw SessionStoreError(
                .wrongKey, "the key does not open the database, or its beginning is damaged", database.string)
        }
        return try SessionFiles(
            .phone, in: folder, key: databaseKey, workFolder: workFolder, fileSystem, progress: progress)
    }
}
